// SPDX-License-Identifier: Apache-2.0
//
// Accesses outside of live memory at which a GPU usually goes on: it maps whole pages, so what
// lies around an array can be read. A launch may let them pass. A load gets 0 then, a store and an
// atomic change nothing, as compiled code has it of every lane whose access is refused.
//
// A null pointer, memory of the host, memory that was freed and another block's shared memory are
// faults there, too.
#include "engine/BlockRun.h"

#include "engine/NearMemory.h"

#include <bit>

namespace heddle::engine {
namespace {

constexpr std::uint64_t ofNobody = 256; ///< bytes behind every allocation (cudart/RawMemory.h)
constexpr std::uint64_t devicePage = std::uint64_t{2} << 20; ///< that a GPU maps as a whole

/// Nothing where it is farther from the piece than `most`.
std::optional<StrayPlace> placeAround(StrayPlace place, std::uint64_t size, std::uint64_t address,
                                      unsigned bytes, std::uint64_t most) {
  const bool isBefore = address < place.begin;
  place.side = isBefore ? profile::StraySide::Before : profile::StraySide::Behind;
  place.reach = isBefore ? place.begin - address : address + bytes - (place.begin + size);
  if (place.reach > most + bytes)
    return std::nullopt;
  return place;
}

/// The one that it is nearer to.
std::optional<StrayPlace> nearer(const std::optional<StrayPlace>& one,
                                 const std::optional<StrayPlace>& other) {
  if (!one || !other)
    return one ? one : other;
  return one->reach <= other->reach ? one : other;
}

} // namespace

/// In the shared memory of the block, or around it.
std::optional<StrayPlace> BlockRun::strayOfShared(const FaultSite& site, std::uint64_t address,
                                                  unsigned bytes) const {
  const auto begin = reinterpret_cast<std::uint64_t>(shared_.get());
  const bool isMeant = site.space == profile::MemorySpace::Shared;
  if (!isMeant && sharedSize_ == 0)
    return std::nullopt;
  auto place = placeAround({StrayPlace::Memory::Shared, begin}, sharedSize_, address, bytes,
                           isMeant ? devicePage : besideBytes);
  if (place)
    place->begin = 0;
  return place;
}

std::optional<StrayPlace> BlockRun::strayOf(const FaultSite& site, std::uint64_t address,
                                            unsigned bytes) const {
  using Memory = StrayPlace::Memory;
  if (site.space == profile::MemorySpace::Local)
    return StrayPlace{Memory::Local, 0, profile::StraySide::Outside, 0};
  if (site.space == profile::MemorySpace::Shared)
    return strayOfShared(site, address, bytes);
  if (address < nullPage || !describeInCluster(address, bytes).empty())
    return std::nullopt;
  if (site.variableSize != 0)
    return placeAround({Memory::Allocation, site.variableBegin}, site.variableSize, address, bytes,
                       besideBytes);
  if (auto shared = strayOfShared(site, address, bytes))
    return shared;
  // Elsewhere memory of the host may be as close.
  const std::uint64_t most = FixedMemory::isForAllocations(address) ? devicePage : besideBytes;
  const auto around = [&](const Allocation* found) -> std::optional<StrayPlace> {
    if (found == nullptr)
      return std::nullopt;
    return placeAround({Memory::Allocation, found->begin}, found->size, address, bytes, most);
  };
  const auto place =
      nearer(around(launch_.memory.before(address)), around(launch_.memory.after(address)));
  // What belongs to nobody now may have been another allocation's before.
  if (place && place->reach > ofNobody && launch_.memory.freed(address) != nullptr)
    return std::nullopt;
  return place;
}

bool BlockRun::letsPass(const WarpContext& warp, unsigned site, std::uint64_t address,
                        LaneMask lanes, unsigned bytes) {
  if (!launch_.settings.letsStraysPass)
    return false;
  const auto place = strayOf(launch_.kernel.faultSites[site], address, bytes);
  if (place)
    worker_->strays.note(site, *place, {number_, threadOf(warp, std::countr_zero(lanes))},
                         unsigned(std::popcount(lanes)));
  return place.has_value();
}

} // namespace heddle::engine
