// SPDX-License-Identifier: Apache-2.0
//
// The memory a kernel may touch. Compiled code asks here when an address is not in the range it hit
// last.
#pragma once

#include "engine/WarpFrame.h"

#include <cstdint>
#include <map>

namespace heddle::engine {

class AddressMap {
public:
  void add(const void* begin, std::size_t size);
  void remove(const void* begin);

  /// The live range that holds `size` bytes from an address, or an empty one.
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
  };
  Range find(std::uint64_t address, std::uint64_t size) const;

private:
  std::map<std::uint64_t, std::uint64_t> sizes_; ///< by first address
};

/// The range an access site hit last: addresses from begin to begin + lastOffset are fine for it.
struct SiteCache {
  std::uint64_t begin;
  std::uint64_t lastOffset;
};

/// Called by compiled code for lanes outside the cached range: returns those whose access is fine,
/// and records the first that is not.
extern "C" std::uint32_t heddleCheckAccess(WarpContext* warp, SiteCache* cache,
                                           const std::uint64_t* addresses, std::uint32_t lanes,
                                           std::uint32_t size, std::uint32_t site);

} // namespace heddle::engine
