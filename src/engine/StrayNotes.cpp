// SPDX-License-Identifier: Apache-2.0
#include "engine/StrayNotes.h"

#include "engine/Launch.h"

#include <algorithm>
#include <ranges>

namespace heddle::engine {
namespace {

using Memory = StrayPlace::Memory;

/// Of the number, the first extent counts fastest.
std::array<int, 3> placeOf(std::int64_t number, const std::array<int, 3>& extents) {
  return {int(number % extents[0]), int(number / extents[0] % extents[1]),
          int(number / extents[0] / extents[1])};
}

std::string nameOf(Memory memory, std::uint64_t begin, const DeviceMemory& live) {
  if (memory == Memory::Local)
    return "the thread's local memory";
  if (memory == Memory::Shared)
    return "the block's shared memory";
  const Allocation* found = live.find(begin, 1);
  return found == nullptr ? "a variable" : found->what;
}

} // namespace

void StrayNotes::note(unsigned site, const StrayPlace& place, Thread thread, unsigned lanes) {
  add({site, place.memory, place.begin, place.side}, {place.reach, lanes, thread});
}

void StrayNotes::add(const StrayNotes& others) {
  for (const auto& [key, sum] : others.sums_)
    add(key, sum);
}

void StrayNotes::add(const Key& key, const Sum& more) {
  Sum& sum = sums_.try_emplace(key, more.reach, 0, more.first).first->second;
  sum.reach = std::max(sum.reach, more.reach);
  sum.count += more.count;
  sum.first = std::min(sum.first, more.first);
}

std::vector<profile::Stray> StrayNotes::describe(const CompiledKernel& kernel,
                                                 const LaunchRequest& request,
                                                 const DeviceMemory& live) const {
  std::multimap<Thread, profile::Stray> found;
  for (const auto& [key, sum] : sums_) {
    const auto& [number, memory, begin, side] = key;
    const FaultSite& site = kernel.faultSites[number];
    found.emplace(sum.first, profile::Stray{.kernel = kernel.name(),
                                            .where = site.site.where,
                                            .kind = site.kind,
                                            .memory = nameOf(memory, begin, live),
                                            .side = side,
                                            .bytes = std::uint64_t(site.bytesPerLane),
                                            .reach = sum.reach,
                                            .count = sum.count,
                                            .block = placeOf(sum.first.first, request.grid),
                                            .thread = placeOf(sum.first.second, request.block)});
  }
  // Of the copies of a line, the one that a thread comes to first says which thread that is.
  std::vector<profile::Stray> all;
  for (const auto& [first, stray] : found)
    profile::addStrays(all, {stray});
  std::multimap<profile::SourceLocation, profile::Stray> byPlace;
  for (const profile::Stray& stray : all)
    byPlace.emplace(stray.where, stray);
  const auto inOrder = std::views::values(byPlace);
  return {inOrder.begin(), inOrder.end()};
}

} // namespace heddle::engine
