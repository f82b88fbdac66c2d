// SPDX-License-Identifier: Apache-2.0
#include "engine/ClusterRun.h"

#include <algorithm>

namespace heddle::engine {

ClusterRun::ClusterRun(LaunchState& launch)
    : launch_(launch), states_(std::size_t(launch.request.clusterBlocks()), BlockState::Waiting) {
  for (std::size_t rank = 0; rank < states_.size(); ++rank)
    blocks_.push_back(std::make_unique<BlockRun>(launch));
  if (blocks_.size() > 1)
    for (const std::unique_ptr<BlockRun>& block : blocks_)
      block->join(blocks_);
}

/// Clusters are numbered as blocks are: x first.
void ClusterRun::start(std::int64_t number) {
  std::ranges::fill(states_, BlockState::Waiting);
  progressed_ = true;
  number_ = number;
  if (blocks_.size() == 1)
    return blocks_.front()->start(number, {.number = number});
  const std::array<int, 3>& grid = launch_.request.grid;
  const std::array<int, 3>& cluster = launch_.request.cluster;
  ClusterPlace place{.number = number};
  std::int64_t rest = number;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int clusters = grid[axis] / cluster[axis];
    place.cluster[axis] = int(rest % clusters);
    rest /= clusters;
  }
  for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
    place.rank = int(rank);
    place.block = {place.rank % cluster[0], place.rank / cluster[0] % cluster[1],
                   place.rank / cluster[0] / cluster[1]};
    std::int64_t block = 0;
    for (const std::size_t axis : {2U, 1U, 0U})
      block = block * grid[axis] + place.cluster[axis] * cluster[axis] + place.block[axis];
    blocks_[rank]->start(block, place);
  }
}

/// Gives every block a turn that does not wait at the cluster's barrier. False at a fault.
bool ClusterRun::turn(Worker& worker) {
  turned_ = gaveWay_ = false;
  for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
    if (states_[rank] != BlockState::Waiting)
      continue;
    states_[rank] = blocks_[rank]->run(worker);
    if (states_[rank] == BlockState::Faulted)
      return false;
    turned_ = turned_ || states_[rank] != BlockState::Waiting || blocks_[rank]->progressed();
    if (states_[rank] == BlockState::TurnOver) {
      states_[rank] = BlockState::Waiting;
      gaveWay_ = true;
    }
  }
  return true;
}

/// A thread that the cluster's barrier waits for; nothing if it may open.
std::optional<std::string> ClusterRun::missing() const {
  for (const std::unique_ptr<BlockRun>& block : blocks_)
    if (std::optional<std::string> thread = block->missingAtCluster())
      return thread;
  return {};
}

/// No block can go on otherwise: opens the cluster's barrier if all have arrived there. False at a
/// fault, and where a thread is missing that is not at a barrier.
bool ClusterRun::passBarrier() {
  const auto waiting =
      std::ranges::find_if(blocks_, [](const auto& block) { return block->waitsAtCluster(); });
  if (waiting == blocks_.end())
    return false;
  if (const std::optional<std::string> thread = missing()) {
    if (std::ranges::find(states_, BlockState::Waiting) == states_.end())
      (*waiting)->reportCluster(*thread);
    return false;
  }
  for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
    if (states_[rank] == BlockState::Finished)
      continue;
    if (!blocks_[rank]->passCluster())
      return false;
    states_[rank] = BlockState::Waiting;
  }
  return true;
}

BlockState ClusterRun::run(Worker& worker) {
  if (blocks_.size() == 1)
    return runOne(worker);
  for (const std::unique_ptr<BlockRun>& block : blocks_)
    block->attach(worker);
  bool anywhere = false;
  for (;;) {
    if (!turn(worker))
      return BlockState::Faulted;
    anywhere = anywhere || turned_;
    if (std::ranges::count(states_, BlockState::Finished) == std::ptrdiff_t(states_.size()))
      return BlockState::Finished;
    const bool allStand = std::ranges::find(states_, BlockState::Waiting) == states_.end();
    if (!allStand && gaveWay_) {
      progressed_ = true;
      return BlockState::TurnOver;
    }
    if (!allStand && turned_)
      continue;
    if (passBarrier()) {
      anywhere = true;
    } else if (allStand || launch_.isStopped(number_)) {
      return BlockState::Faulted;
    } else {
      progressed_ = anywhere;
      return BlockState::Waiting;
    }
  }
}

/// A block that is a cluster by itself, as without clusters.
BlockState ClusterRun::runOne(Worker& worker) {
  BlockRun& block = *blocks_.front();
  bool anywhere = false;
  for (;;) {
    states_.front() = block.run(worker);
    progressed_ = anywhere || block.progressed();
    const bool mayOpen =
        states_.front() == BlockState::AtCluster ||
        (states_.front() == BlockState::Waiting && !block.progressed() && block.waitsAtCluster());
    if (!mayOpen)
      return states_.front();
    if (!passBarrier())
      return states_.front() == BlockState::AtCluster || launch_.isStopped(number_)
                 ? BlockState::Faulted
                 : BlockState::Waiting;
    anywhere = true;
  }
}

std::string ClusterRun::takeText() {
  std::string all;
  for (const std::unique_ptr<BlockRun>& block : blocks_)
    all += block->takeText();
  return all;
}

void ClusterRun::settle(Worker& worker) {
  for (const std::unique_ptr<BlockRun>& block : blocks_)
    block->settle(worker);
}

void ClusterRun::reportHang(bool blocksLeft) {
  for (std::size_t rank = 0; rank < blocks_.size(); ++rank)
    if (states_[rank] == BlockState::Waiting)
      return blocks_[rank]->reportHang(blocksLeft);
}

} // namespace heddle::engine
