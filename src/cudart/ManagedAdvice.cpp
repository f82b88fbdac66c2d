// SPDX-License-Identifier: Apache-2.0
#include "cudart/ManagedAdvice.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace heddle::cudart {
namespace {

cudaMemLocationType typeOf(int place) {
  if (place == cudaInvalidDeviceId)
    return cudaMemLocationTypeInvalid;
  return place == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
}

/// The devices that access a range, as many as there is room for; the rest is no device.
void writeAccessors(const Advice& advice, int* data, std::size_t room) {
  std::vector<int> places;
  if (advice.fromHost)
    places.push_back(cudaCpuDeviceId);
  if (advice.fromDevice)
    places.push_back(0);
  places.resize(room, cudaInvalidDeviceId);
  std::copy(places.begin(), places.end(), data);
}

std::optional<int> wordOf(const Advice& advice, cudaMemRangeAttribute attribute) {
  switch (attribute) {
  case cudaMemRangeAttributeReadMostly:
    return int{advice.readMostly};
  case cudaMemRangeAttributePreferredLocation:
  case cudaMemRangeAttributePreferredLocationId:
    return advice.preferred;
  case cudaMemRangeAttributeLastPrefetchLocation:
  case cudaMemRangeAttributeLastPrefetchLocationId:
    return advice.prefetched;
  case cudaMemRangeAttributePreferredLocationType:
    return typeOf(advice.preferred);
  case cudaMemRangeAttributeLastPrefetchLocationType:
    return typeOf(advice.prefetched);
  default:
    return std::nullopt;
  }
}

} // namespace

ManagedAdvice::Stretches::iterator ManagedAdvice::cut(std::uintptr_t address) {
  const auto after = stretches_.upper_bound(address);
  const auto holds = std::prev(after);
  return holds->first == address ? holds : stretches_.emplace_hint(after, address, holds->second);
}

Advice ManagedAdvice::ask(const void* begin, std::size_t size) const {
  auto at = std::prev(stretches_.upper_bound(addressOf(begin)));
  Advice common = at->second;
  for (++at; at != stretches_.end() && at->first < addressOf(begin) + size; ++at) {
    const Advice& next = at->second;
    common.readMostly &= next.readMostly;
    common.fromDevice &= next.fromDevice;
    common.fromHost &= next.fromHost;
    if (common.preferred != next.preferred)
      common.preferred = cudaInvalidDeviceId;
    if (common.prefetched != next.prefetched)
      common.prefetched = cudaInvalidDeviceId;
  }
  return common;
}

bool writeAdvice(const Advice& advice, cudaMemRangeAttribute attribute, void* data,
                 std::size_t size) {
  if (attribute == cudaMemRangeAttributeAccessedBy) {
    if (size == 0 || size % sizeof(int) != 0)
      return false;
    writeAccessors(advice, static_cast<int*>(data), size / sizeof(int));
    return true;
  }
  const std::optional<int> word = wordOf(advice, attribute);
  if (!word || size != sizeof(int))
    return false;
  *static_cast<int*>(data) = *word;
  return true;
}

} // namespace heddle::cudart
