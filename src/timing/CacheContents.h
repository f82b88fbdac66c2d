// SPDX-License-Identifier: Apache-2.0
//
// What the L2 still has of earlier launches and copies: the memory that was used last, as far as it
// fits. Kept by allocation; lines, sets and replacement are not modelled.
#pragma once

#include "machine/Device.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::timing {

/// Memory that one launch or copy uses.
struct Region {
  std::uint64_t begin = 0;
  double bytes = 0;
  bool isRead = true; ///< else it is only written
};

class CacheContents {
public:
  explicit CacheContents(const machine::Device& device);

  /// Of lookups all over the region, the share that finds it here.
  double hitsIn(const Region& region) const;

  /// Of these bytes, the share that is there.
  double shareOf(const Region& region) const;

  /// Whether so much can be there at once.
  bool fits(std::span<const Region> regions) const { return freeBeside(regions) >= 0; }

  /// They are used together, now. What fits stays, and drives out what was used longest ago; a
  /// sweep over more than fits leaves nothing that the next one would find.
  void use(std::span<const Region> regions);

private:
  double placeOf(const Region& region) const;
  double freeBeside(std::span<const Region> regions) const;

  struct Kept {
    Region region;
    double share; ///< that is there
  };
  double capacity_; ///< bytes
  int partitions_;
  std::vector<Kept> kept_; ///< the last used first
};

} // namespace heddle::timing
