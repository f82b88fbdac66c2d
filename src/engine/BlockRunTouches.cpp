// SPDX-License-Identifier: Apache-2.0
//
// Which threads touch which bytes, for launches that are asked for it.
#include "engine/BlockRun.h"

#include <bit>

namespace heddle::engine {
namespace {

TouchKind touchKindOf(profile::AccessKind kind) {
  switch (kind) {
  case profile::AccessKind::Load:
    return TouchKind::Read;
  case profile::AccessKind::Store:
    return TouchKind::Write;
  case profile::AccessKind::Atomic:
    break;
  }
  return TouchKind::Atomic;
}

} // namespace

void BlockRun::noteTouches(const WarpContext& warp, std::uint32_t site,
                           const std::uint64_t* addresses, LaneMask lanes) {
  const FaultSite& info = launch_.kernel.faultSites[site];
  if (info.space == profile::MemorySpace::Local)
    return;
  const std::uint64_t firstThread =
      std::uint64_t(number_) * std::uint64_t(threads_) +
      std::uint64_t(&warp - contexts_.data()) * std::uint64_t{warpSize};
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = std::uint64_t(std::countr_zero(rest));
    noteTouchOfLane(addresses[lane], unsigned(info.bytesPerLane),
                    {firstThread + lane, site, touchKindOf(info.kind)});
  }
}

/// Whether the address is in the block's shared memory.
bool BlockRun::noteSharedTouch(std::uint64_t address, unsigned bytes, Touch touch) {
  LaunchTouches& touches = *launch_.settings.touches;
  const std::uint64_t inShared = address - reinterpret_cast<std::uint64_t>(shared_.get());
  if (inShared >= sharedSize_)
    return false;
  if (touches.inShared && !touches.shared)
    touches.shared = sharedTouches_.add(inShared, bytes, touch);
  return true;
}

void BlockRun::noteTouchOfLane(std::uint64_t address, unsigned bytes, Touch touch) {
  LaunchTouches& touches = *launch_.settings.touches;
  if (noteSharedTouch(address, bytes, touch))
    return;
  for (const std::unique_ptr<BlockRun>& block : cluster_)
    if (block->noteSharedTouch(address, bytes, touch))
      return;
  if (touches.watched && *touches.watched - address < bytes && touch.kind != TouchKind::Read)
    touches.lastWrite = touch;
  if (touches.inGlobal && !touches.global && isGlobal(address))
    touches.global = touches.bytes.add(address, bytes, touch);
}

/// Not a thread's own memory, nor the arguments, which nobody writes. Most accesses go where the
/// last one went.
bool BlockRun::isGlobal(std::uint64_t address) {
  if (touchedLast_ != nullptr && address - touchedLast_->begin < touchedLast_->size)
    return true;
  if (const Allocation* found = launch_.memory.find(address, 1)) {
    touchedLast_ = found;
    return true;
  }
  return launch_.memory.heap().find(address, 1).has_value();
}

} // namespace heddle::engine
