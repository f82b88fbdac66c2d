// SPDX-License-Identifier: Apache-2.0
//
// Runs the blocks of one cluster, which see each other's shared memory and meet at a barrier of
// their own. One thread of ours runs them all, each until it waits for the others, so that nothing
// in shared memory needs more care than in a block by itself. A launch without clusters has
// clusters of one block.
#pragma once

#include "engine/BlockRun.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heddle::engine {

class ClusterRun {
public:
  explicit ClusterRun(LaunchState& launch);

  /// Gets ready for a cluster of the grid.
  void start(std::int64_t number);

  /// Runs on with the counters of the thread that calls; never AtCluster.
  BlockState run(Worker& worker);

  /// Whether the last run got anywhere.
  bool progressed() const { return progressed_; }

  std::int64_t number() const { return number_; }

  /// What its threads have printed, block after block.
  std::string takeText();

  /// Charges what is open, for a run that ends early.
  void settle(Worker& worker);

  /// Says of one of the waiting warps where it waits, as a fault.
  void reportHang(bool blocksLeft);

private:
  BlockState runOne(Worker& worker);
  bool turn(Worker& worker);
  std::optional<std::string> missing() const;
  bool passBarrier();

  LaunchState& launch_;
  std::vector<std::unique_ptr<BlockRun>> blocks_; ///< by their rank
  std::vector<BlockState> states_;                ///< Waiting, until a block has run
  std::int64_t number_ = 0;
  bool progressed_ = true;
  bool turned_ = false;  ///< whether the last turn got anywhere
  bool gaveWay_ = false; ///< a block, in the last turn, to others
};

} // namespace heddle::engine
