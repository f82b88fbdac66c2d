// SPDX-License-Identifier: Apache-2.0
//
// What the L2 still has of earlier launches and copies: the memory that was used last, as far as it
// fits, in chunks of an allocation. Lines and sets are not modelled.
#pragma once

#include "machine/Device.h"

#include <algorithm>
#include <cstdint>
#include <list>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle::timing {

/// Memory that one launch or copy uses.
struct Region {
  std::uint64_t begin = 0;
  double bytes = 0;
  bool isRead = true;    ///< else it is only written
  double readers = 1;    ///< thread blocks that ask for each byte
  bool isCopied = false; ///< written by a copy, not by a kernel
};

class CacheContents {
public:
  explicit CacheContents(const machine::Device& device);

  /// Of lookups all over the region, the share that finds it here.
  double hitsIn(const Region& region) const;

  /// Whether what is written stays when these are used together; else it goes to memory.
  bool keepsWrites(std::span<const Region> regions) const;

  /// What a launch finds of a region.
  struct Found {
    double there = 0; ///< share of it
    double afar = 0;  ///< of that, the share that nobody has read since it was written elsewhere
  };

  /// They are used together, now, each from its beginning to its end, and drive out what was used
  /// longest ago.
  std::vector<Found> use(std::span<const Region> regions);

  /// Of the reads of something that so many read, the share that are the first in their partition.
  double firstReads(double readers) const { return std::min(1.0, partitions_ / readers); }

private:
  struct Chunk {
    std::uint64_t begin;
    double bytes; ///< of memory
    double place; ///< that it takes here
    double afar;  ///< share that is in another partition than a reader's
  };
  using Place = std::list<Chunk>::iterator;

  double copiesOf(const Region& region) const;
  void load(const Chunk& chunk, Found& found);

  double capacity_; ///< bytes
  int partitions_;
  double used_ = 0;
  std::list<Chunk> chunks_; ///< the last used first
  std::unordered_map<std::uint64_t, Place> placeOf_;
};

} // namespace heddle::timing
