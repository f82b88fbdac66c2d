// SPDX-License-Identifier: Apache-2.0
//
// What a warp that is recorded in full notes of its run (WarpRecording.h).
#include "engine/WarpRun.h"

namespace heddle::engine {

void WarpRun::recordIn(std::unique_ptr<WarpRecording> recording) {
  recording_ = std::move(recording);
  records_ = recording_ != nullptr;
  watched_ = trace_ != nullptr || records_;
}

std::unique_ptr<WarpRecording> WarpRun::takeRecording() {
  records_ = false;
  return std::move(recording_);
}

/// Who has the lanes while an entry runs: the lanes that it and those above it lack of their
/// parents are lost to the branches that made them.
profile::LaneOwners WarpRun::laneOwners(int leaf) const {
  profile::LaneOwners owners;
  owners.active = entries_[std::size_t(leaf)].mask;
  for (const Finished& finished : finished_)
    if (finished.branch < 0)
      owners.finished |= finished.lanes;
    else
      owners.lost.push_back({std::uint32_t(finished.branch), finished.lanes});
  for (int index = leaf; entries_[std::size_t(index)].parent >= 0;) {
    const Entry& entry = entries_[std::size_t(index)];
    index = entry.parent;
    const LaneMask lanes = entries_[std::size_t(index)].mask & ~entry.mask;
    if (lanes != 0 && entry.owner >= 0)
      owners.lost.push_back({std::uint32_t(entry.owner), lanes});
  }
  return owners;
}

/// The running leaf has run a block.
void WarpRun::record(int block, std::optional<std::uint32_t>& owners) {
  const Entry& leaf = entries_[std::size_t(ready_.back())];
  if (!owners)
    owners = recording_->numberOf(laneOwners(ready_.back()));
  keepRecording(recording_->add(codeNumber(leaf.function->firstShape + std::uint32_t(block)),
                                leaf.function->blocks[std::size_t(block)].instructions, *owners));
}

/// Lanes of an entry have taken an edge by themselves; `waiting` of them stay behind because of it.
void WarpRun::recordEdge(int entry, const CompiledBlock& block, int side, LaneMask lanes,
                         LaneMask waiting) {
  const CompiledFunction& function = *entries_[std::size_t(entry)].function;
  profile::LaneOwners owners = laneOwners(entry);
  owners.active = lanes;
  if (waiting != 0)
    owners.lost.push_back({std::uint32_t(block.branch), waiting});
  const auto shape = function.firstShape + std::uint32_t(&block - function.blocks.data());
  keepRecording(recording_->add(codeNumber(shape, side), block.edgeInstructions[std::size_t(side)],
                                recording_->numberOf(std::move(owners))));
}

/// A recording that is full stays as it is.
void WarpRun::keepRecording(bool goesOn) {
  records_ = records_ && goesOn;
  watched_ = trace_ != nullptr || records_;
}

} // namespace heddle::engine
