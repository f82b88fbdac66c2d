// SPDX-License-Identifier: Apache-2.0
//
// The workers of one launch, and the blocks between them, in clusters. Blocks start in order.
//
//   apart      blocks cannot tell in which order they run: each worker takes the next one and runs
//              it to its end
//   in turns   they can, and may wait for each other: one worker runs them all. One that waits for
//              memory to change, or has had its turn, is set aside; another one starts while the
//              device has room, or else the one that has waited longest goes on.
//
// One worker can run every block, so nothing needs a second one: TBB has fewer threads than there
// are workers where the user asks for more than there are cores, and some workers then start when
// others are done.
#pragma once

#include "engine/ClusterRun.h"
#include "engine/LaunchState.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace heddle::engine {

class GridRun {
public:
  GridRun(LaunchState& launch, int workers);

  /// What each worker does.
  void work(std::size_t number);

  // When all are done:

  void finish(profile::KernelProfile& profile);

  /// What blocks want to have launched, in their order: that of the workers must not matter.
  std::vector<DeviceLaunch> takeChildren();

  /// The accesses outside of live memory that it let pass, by place.
  std::vector<profile::Stray> takeStrays() const;

  /// What the blocks of the sample have left, in order; of a grid that has run so many
  /// instructions.
  profile::KernelTrace takeTrace(std::uint64_t instructions);

private:
  using Clock = std::chrono::steady_clock;

  void runApart(Worker& worker);
  BlockState runToEnd(ClusterRun& block, Worker& worker);
  void runInTurns(Worker& worker);
  std::unique_ptr<ClusterRun> next(std::unique_ptr<ClusterRun>& spare);
  std::unique_ptr<ClusterRun> begin(std::unique_ptr<ClusterRun>& spare);
  void setAside(std::unique_ptr<ClusterRun> block);
  void end(ClusterRun& block, Worker& worker, BlockState state);
  void lookUp(const Worker& worker);
  void report();

  LaunchState& launch_;
  std::int64_t clusterBlocks_; ///< of each cluster
  std::int64_t clusters_;
  Clock::time_point nextReport_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<std::int64_t> nextBlock_ = 0;

  // In turns
  std::int64_t mostTogether_; ///< blocks that have begun and not ended
  std::deque<std::unique_ptr<ClusterRun>> waiting_;
  std::uint64_t idleTurns_ = 0; ///< of waiting blocks, since one got anywhere
  std::size_t retries_ = 0;     ///< of waiting blocks before another one starts
};

} // namespace heddle::engine
