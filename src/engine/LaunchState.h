// SPDX-License-Identifier: Apache-2.0
//
// What the threads that run one launch share.
#pragma once

#include "engine/BlockSampling.h"
#include "engine/BlockSequence.h"
#include "engine/Counters.h"
#include "engine/LaterSums.h"
#include "engine/Launch.h"
#include "engine/PrivateSums.h"
#include "engine/StrayNotes.h"

#include <atomic>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heddle::engine {

/// One of our threads, on cache lines of its own.
struct alignas(64) Worker {
  explicit Worker(const CompiledKernel& kernel) : counters(kernel) {}

  Counters counters;
  PrivateSums sums;
  LaterSums later;
  StrayNotes strays;
  std::vector<std::pair<std::int64_t, DeviceLaunch>> children; ///< by block
  bool alone = false;                                          ///< there is no other
  bool reports = false;                                        ///< how far they are
};

struct LaunchState {
  const CompiledKernel& kernel;
  const LaunchRequest& request;
  const DeviceMemory& memory;
  const LaunchSettings& settings;
  BlockSampling sampling;

  std::atomic<std::uint64_t> instructions = 0; ///< of warps, from long ones now and then
  std::atomic<std::int64_t> blocksDone = 0;
  std::atomic<std::uint64_t> longestWarp = 0;   ///< instructions
  std::atomic<std::uint64_t> longestOfWork = 0; ///< without those of loops that poll
  std::atomic<std::uint64_t> polledInstructions = 0;
  std::atomic<std::int64_t> lastToRun = std::numeric_limits<std::int64_t>::max(); ///< by cluster
  std::atomic<bool> polled = false; ///< lanes came by the same place again until others wrote

  /// Instructions of each block's warps; of a grid so large that it evens out, nothing.
  std::vector<std::uint64_t> blockSizes;

  std::mutex mutex;
  std::optional<Fault> fault;                        ///< that of the first cluster that has one
  std::map<std::int64_t, BlockInstructions> sampled; ///< by block, those asked for
  std::span<const std::byte> arguments;              ///< as the kernel's code sees them

  /// What blocks leave takes effect in their order.
  BlockSequence sequence{settings.print};
  /// Blocks can tell in which order they run, and may wait for each other: one worker gives them
  /// turns. Else each runs to its end.
  bool inTurns = false;

  /// Threads take their work from a counter. On a GPU all run at once and share it; so warps run in
  /// turns, and where all blocks have the same counter, blocks do. Those of a cluster wait for each
  /// other as it is.
  bool warpsTakeTurns() const { return kernel.shape.takesWork != profile::WorkCounter::None; }
  bool blocksTakeTurns() const {
    return kernel.shape.takesWork == profile::WorkCounter::OfTheGrid &&
           request.clusterBlocks() == 1;
  }

  /// Which cluster has a turn, and the turn of a cluster. Where clusters can tell who came first
  /// it is always the same.
  std::int64_t turnOf(std::int64_t cluster) const {
    const bool isLastFirst = settings.backwards && !inTurns && !kernel.showsOrder;
    return isLastFirst ? request.blocks() / request.clusterBlocks() - 1 - cluster : cluster;
  }

  bool isStopped(std::int64_t cluster) const { return cluster > lastToRun; }

  /// A cluster comes to a fault. Those before it go on, as they would have ended before with one
  /// worker: one of them may have a fault of its own.
  void stop(Fault reason, std::int64_t cluster) {
    const std::scoped_lock lock(mutex);
    if (isStopped(cluster) || (fault && cluster == lastToRun))
      return;
    fault = std::move(reason);
    lastToRun = cluster;
    sequence.stopAfter(cluster);
  }

  /// Nobody goes on.
  void stopAll(Fault reason) {
    const std::scoped_lock lock(mutex);
    if (!fault)
      fault = std::move(reason);
    lastToRun = -1;
    sequence.stopAfter(-1);
  }
};

} // namespace heddle::engine
