// SPDX-License-Identifier: Apache-2.0
#include "engine/AddressMap.h"

#include <bit>

namespace heddle::engine {

void AddressMap::add(const void* begin, std::size_t size) {
  if (size > 0)
    sizes_[reinterpret_cast<std::uint64_t>(begin)] = size;
}

void AddressMap::remove(const void* begin) {
  sizes_.erase(reinterpret_cast<std::uint64_t>(begin));
}

AddressMap::Range AddressMap::find(std::uint64_t address, std::uint64_t size) const {
  auto after = sizes_.upper_bound(address);
  if (after == sizes_.begin())
    return {};
  const auto& [begin, length] = *--after;
  const bool inside = address - begin < length && size <= length - (address - begin);
  return inside ? Range{begin, length} : Range{};
}

std::uint32_t heddleCheckAccess(WarpContext* warp, SiteCache* cache, const std::uint64_t* addresses,
                                std::uint32_t lanes, std::uint32_t size, std::uint32_t site) {
  std::uint32_t fine = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const AddressMap::Range range = warp->addresses->find(addresses[lane], size);
    if (range.size >= size && range.size != 0) {
      fine |= 1u << lane;
      *cache = {range.begin, range.size - size};
    } else if (!warp->fault->found) {
      *warp->fault = {true, site, lane, addresses[lane]};
    }
  }
  return fine;
}

} // namespace heddle::engine
