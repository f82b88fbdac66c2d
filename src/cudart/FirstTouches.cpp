// SPDX-License-Identifier: Apache-2.0
#include "cudart/FirstTouches.h"

#include "timing/FirstTouch.h"

#include <cmath>

namespace heddle::cudart {
namespace {

/// Managed memory that stays with the host when a kernel touches it, since the program said so.
bool staysWithHost(const Advice& advice) {
  return advice.preferred == cudaCpuDeviceId || advice.fromDevice;
}

const Region* managedRegion(const Runtime& runtime, const void* address) {
  const Region* const region = runtime.memory.find(address);
  return region != nullptr && region->kind == MemoryKind::Managed ? region : nullptr;
}

RegionPart partOf(const Region& region, const void* begin, std::size_t size) {
  const auto first = std::uint64_t(static_cast<const std::byte*>(begin) - region.begin);
  return {first, first + size};
}

/// The managed regions by where they begin in the device's memory.
std::map<std::uint64_t, const Region*> managedByPlace(const Runtime& runtime) {
  std::map<std::uint64_t, const Region*> regions;
  for (const auto& [address, region] : runtime.memory.regions())
    if (region.kind == MemoryKind::Managed)
      if (const auto* const live = runtime.memory.live().find(address, 1))
        regions[live->place] = &region;
  return regions;
}

} // namespace

void noteFirstTouch(Runtime& runtime, launch::LaunchOutcome& outcome) {
  const std::map<std::uint64_t, const Region*> regions = managedByPlace(runtime);
  if (regions.empty())
    return;
  profile::KernelProfile& launch = outcome.profile;
  const auto stays = [&](const std::byte* begin, std::size_t size) {
    return staysWithHost(runtime.advice.ask(begin, size));
  };
  ManagedPages::Moved all;
  for (const timing::TouchedRange& range :
       timing::touchedRanges(outcome.trace, std::int64_t(launch.blocks))) {
    const auto found = regions.find(range.allocation);
    if (found == regions.end())
      continue;
    const ManagedPages::Moved moved = runtime.managed.touch(
        *found->second, {range.first, range.end}, std::uint64_t(std::ceil(range.sectors)), stays);
    all.written += moved.written;
    all.fresh += moved.fresh;
  }
  if (all.bytes() == 0)
    return;
  const machine::Device& device = runtime.settings.device;
  launch.firstTouch = {
      .bytes = all.bytes(),
      .seconds = timing::firstTouchSeconds(device, double(all.written), double(all.fresh)),
      .prefetchSeconds = timing::prefetchSeconds(device, double(all.bytes()))};
  runtime.clock.pass(launch.firstTouch->seconds);
}

void prefetchManaged(Runtime& runtime, const void* begin, std::size_t size, int device) {
  const Region* const region = managedRegion(runtime, begin);
  if (region == nullptr)
    return;
  runtime.managed.look(runtime.memory);
  const PageSide to = device == cudaCpuDeviceId ? PageSide::Host : PageSide::Device;
  const std::uint64_t bytes = runtime.managed.move(*region, partOf(*region, begin, size), to);
  runtime.clock.pass(timing::prefetchSeconds(runtime.settings.device, double(bytes)));
}

void noteManagedWrite(Runtime& runtime, const void* begin, std::size_t size) {
  if (const Region* const region = managedRegion(runtime, begin))
    runtime.managed.move(*region, partOf(*region, begin, size), PageSide::Device);
}

} // namespace heddle::cudart
