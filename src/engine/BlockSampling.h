// SPDX-License-Identifier: Apache-2.0
//
// Which thread blocks of a grid are traced: some at even distances. Where many blocks end at once,
// few of those would have work, so the distance is halved until enough of them have:
//
//   blocks      WWWWWW..........................          W work, . ends at once
//   level 0     x       x       x       x                 1 of 4 works
//   level 1     x   x   x   x   x   x   x   x             2 of 8
//   level 2     x x x x x x x x x x x x x x x x           3 of 16: as many as wanted, at most
//
// Which blocks work is known when they have run, and nobody wants to run them again. So tracing
// begins with the finest level, and goes one up whenever more have work than are wanted. What is
// left in the end does not depend on the order in which blocks ran: a block of that level has been
// traced in any case, as the level was never coarser.
#pragma once

#include "engine/Launch.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace heddle::engine {

/// By site and beginning of the allocation.
using FootprintBySite = std::map<std::pair<std::uint32_t, std::uint64_t>, profile::Footprint>;

class BlockSampling {
public:
  /// Of every `every`-th block at the coarsest level, every `deepEvery`-th is traced for long.
  BlockSampling(const LaunchRequest& grid, std::int64_t every, std::int64_t deepEvery);

  /// Whether memory instructions count in a block: in those of the coarsest level.
  bool counts(std::int64_t block) const { return block % every_ == 0; }
  /// For now; no block is that was not at an earlier time.
  bool isTraced(std::int64_t block) const { return levelOf(block) <= level_; }
  bool isDeep(std::int64_t block) const;

  /// A block has ended: what its warps ran, and what it has left if it was traced. Called by any
  /// thread of ours, as often as there are blocks.
  void end(std::int64_t block, std::uint64_t instructions);
  void add(profile::BlockTrace block, FootprintBySite footprints);

  /// Whether a block with so many instructions of its warps may have ended at once.
  bool isShort(std::uint64_t instructions) const;

  /// All blocks have ended. Those that ended at once are left out if others had much more to do.
  void take(profile::KernelTrace& trace, std::uint64_t instructions);

private:
  struct Sample {
    int level = 0;
    bool ended = false; ///< at once
    profile::BlockTrace block;
    FootprintBySite footprints;
  };

  int levelOf(std::int64_t block) const;
  /// Blocks of a level between one of the coarsest level and the next that are before this one.
  std::int64_t indexOf(std::int64_t block, int level) const;
  void coarsen();
  bool leavesOut(std::uint64_t instructions) const;

  std::int64_t blocks_, warps_; ///< of the grid, of a block
  std::int64_t every_, deepEvery_;
  std::int64_t wanted_; ///< blocks with work, at most
  std::atomic<int> level_ = 0;

  std::atomic<std::int64_t> shortBlocks_ = 0;
  std::atomic<std::uint64_t> shortInstructions_ = 0;
  std::atomic<std::int64_t> lastLong_ = -1;

  std::mutex mutex_;
  std::vector<Sample> samples_;
  std::int64_t working_ = 0; ///< of the samples
};

} // namespace heddle::engine
