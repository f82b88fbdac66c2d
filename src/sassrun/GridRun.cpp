// SPDX-License-Identifier: Apache-2.0
#include "sassrun/GridRun.h"

namespace heddle::sassrun {
namespace {

constexpr std::uint64_t longestTurn = 256; ///< instructions of a warp

} // namespace

Expected<void> GridRun::run(std::int64_t residentBlocks, std::uint64_t mostInstructions) {
  blocks_ = blocksLeft_ = std::int64_t{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2];
  residents_.resize(std::size_t(std::clamp<std::int64_t>(residentBlocks, 1, blocks_)));
  for (std::size_t resident = 0; resident < residents_.size(); ++resident)
    begin(resident, 0);
  while (blocksLeft_ > 0) {
    if (turns_.empty())
      return fail(ErrorKind::BadInput, "warps wait for each other for ever");
    if (executed_ > mostInstructions)
      return fail(ErrorKind::BadInput, "it runs more than {} instructions", mostInstructions);
    const Turn turn = turns_.top();
    turns_.pop();
    HEDDLE_CHECK(runOne(turn));
  }
  return {};
}

/// Starts the next block of the grid in the place of one that has ended.
void GridRun::begin(std::size_t resident, std::uint64_t clock) {
  if (nextBlock_ >= blocks_)
    return;
  Resident& self = residents_[resident];
  if (!self.block)
    self.block = std::make_unique<Block>(program_, kernel_, launch_, memory_, counts_);
  self.block->start(nextBlock_++);
  self.warpsLeft = self.block->warps().size();
  self.waits.assign(self.warpsLeft, false);
  for (std::size_t warp = 0; warp < self.waits.size(); ++warp) {
    self.block->warps()[warp]->setClock(clock);
    turns_.push({clock, resident, warp});
  }
}

Expected<void> GridRun::runOne(const Turn& turn) {
  Resident& self = residents_[turn.resident];
  Warp& warp = *self.block->warps()[turn.warp];
  const std::uint64_t before = warp.executed();
  const WarpState state = warp.run(longestTurn, true);
  executed_ += warp.executed() - before;
  switch (state) {
  case WarpState::Failed:
    return fail(ErrorKind::Unsupported, "{}", warp.failure());
  case WarpState::Running:
    turns_.push({warp.clock(), turn.resident, turn.warp});
    break;
  case WarpState::AtBarrier:
    self.waits[turn.warp] = true;
    openBarriers(turn.resident, warp.clock());
    break;
  case WarpState::Finished:
    openBarriers(turn.resident, warp.clock());
    if (--self.warpsLeft == 0) {
      --blocksLeft_;
      begin(turn.resident, warp.clock());
    }
    break;
  }
  return {};
}

void GridRun::openBarriers(std::size_t resident, std::uint64_t clock) {
  Resident& self = residents_[resident];
  if (!self.block->openBarriers())
    return;
  for (std::size_t i = 0; i < self.waits.size(); ++i) {
    Warp& warp = *self.block->warps()[i];
    if (!self.waits[i] || !warp.isReady())
      continue;
    self.waits[i] = false;
    warp.setClock(std::max(warp.clock(), clock));
    turns_.push({warp.clock(), resident, i});
  }
}

} // namespace heddle::sassrun
