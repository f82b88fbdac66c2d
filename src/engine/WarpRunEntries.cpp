// SPDX-License-Identifier: Apache-2.0
//
// The tree of entries: how it grows at a divergent branch, shrinks where lanes meet or return, and
// what each entry costs its branch while it runs.
#include "engine/BlockRun.h"
#include "engine/WarpRun.h"

#include <algorithm>

namespace heddle::engine {

int WarpRun::addEntry(const Entry& entry) {
  int index = int(entries_.size());
  if (free_.empty()) {
    entries_.push_back(entry);
  } else {
    index = free_.back();
    free_.pop_back();
    entries_[std::size_t(index)] = entry;
  }
  entries_[std::size_t(index)].live = true;
  return index;
}

/// An entry begins to run: from here on its parent's other lanes are lost to its branch.
void WarpRun::activate(int index) {
  Entry& entry = entries_[std::size_t(index)];
  if (entry.active)
    return;
  entry.active = true;
  entry.beganAt = context_->instructions;
  entry.maskedLanes =
      entry.parent < 0 ? 0 : countLanes(entries_[std::size_t(entry.parent)].mask & ~entry.mask);
}

void WarpRun::charge(Entry& entry, Counters& counters) {
  if (!entry.active)
    return;
  entry.active = false;
  if (entry.owner < 0)
    return;
  BranchCounters& branch = counters.branches[std::size_t(entry.owner)];
  const std::uint64_t ran = context_->instructions - entry.beganAt;
  branch.lostSlots += ran * std::uint64_t(entry.maskedLanes);
  branch.pathInstructions[entry.side] += ran;
}

/// The running leaf has reached its join: its lanes wait there for the others.
void WarpRun::arrive(Counters& counters) {
  const int index = ready_.back();
  ready_.pop_back();
  Entry& leaf = entries_[std::size_t(index)];
  charge(leaf, counters);
  if (leaf.ownsFrame)
    frames_->giveBack(leaf.frame, leaf.function->frameSize);
  leaf.live = false;
  free_.push_back(index);
  if (leaf.parent < 0)
    return;
  Entry& parent = entries_[std::size_t(leaf.parent)];
  parent.arrived |= leaf.mask;
  if (--parent.children == 0) {
    parent.arrived = 0;
    ready_.push_back(leaf.parent);
  }
  if (ready_.empty())
    return;
  const int next = ready_.back();
  if (next == leaf.parent || entries_[std::size_t(next)].parent == leaf.parent)
    activate(next);
  else
    refocus(counters);
  if (!uniforms_.empty())
    useUniformsOf(entries_[std::size_t(next)]);
}

/// A divergent branch: its entry waits at the join, one entry per side begins.
void WarpRun::split(const CompiledBlock& block, LaneMask taken, Counters& counters) {
  const int parent = ready_.back();
  const LaneMask mask = entries_[std::size_t(parent)].mask;
  countSplit(block, mask, taken, counters);
  for (const int side : {0, 1})
    if (leavesJoin(entries_[std::size_t(parent)], block, side))
      return splitFromLoop(block, side, side == 0 ? taken : mask & ~taken, counters);
  BranchCounters& branch = counters.branches[std::size_t(block.branch)];
  ready_.pop_back();
  LaneMask arrived = 0;
  int children = 0;
  for (const int side : {1, 0}) {
    const LaneMask lanes = side == 0 ? taken : mask & ~taken;
    if (block.successors[side] == block.join && block.join != noBlock) {
      passEdge(parent, block, side, lanes, mask, counters);
      arrived |= lanes;
      continue;
    }
    ready_.push_back(addSide(block, parent, side, lanes));
    ++branch.pathRuns[side];
    ++children;
  }
  Entry& waiting = entries_[std::size_t(parent)];
  waiting.block = block.join;
  waiting.children = children;
  waiting.arrived = children == 0 ? 0 : arrived;
  if (children == 0) // both sides are the join
    ready_.push_back(parent);
  activate(ready_.back());
}

/// Makes entries of the quick splits: the innermost side becomes the running leaf.
void WarpRun::enterSides() {
  std::vector<int> waitingBehind(splits_.size(), -1);
  for (std::size_t i = 0; i < splits_.size(); ++i) {
    const QuickSplit& split = splits_[i];
    if (split.kind == QuickSplit::Kind::Behind) {
      waitingBehind[i] = enterBehind(split);
      continue;
    }
    if (split.kind == QuickSplit::Kind::Leaving) {
      enterLeaving(split, waitingBehind[split.behind]);
      continue;
    }
    const int parent = ready_.back();
    ready_.pop_back();
    if (split.pending != 0)
      ready_.push_back(addSide(*split.block, parent, 1 - split.side, split.pending));
    const int running = addSide(*split.block, parent, split.side, split.lanes);
    ready_.push_back(running);
    Entry& child = entries_[std::size_t(running)];
    child.active = true;
    child.beganAt = split.beganAt;
    child.maskedLanes = countLanes(split.mask & ~split.lanes);
    Entry& waiting = entries_[std::size_t(parent)];
    waiting.block = split.block->join;
    waiting.children = split.pending != 0 ? 2 : 1;
    waiting.arrived = split.mask & ~split.lanes & ~split.pending;
  }
  splits_.clear();
}

/// One side of a branch: as its parent but for what differs. The parent is not written before, and
/// the copy not before it is in place: to read back in one piece what was just written in several
/// takes a CPU long.
int WarpRun::addSide(const CompiledBlock& block, int parent, int side, LaneMask lanes) {
  const int index = addEntry(entries_[std::size_t(parent)]);
  Entry& child = entries_[std::size_t(index)];
  child.block = block.successors[side];
  child.join = block.join;
  child.mask = lanes;
  child.parent = parent;
  child.children = 0;
  child.arrived = 0;
  child.owner = block.branch;
  child.side = side;
  child.active = child.ownsFrame = false;
  return index;
}

void WarpRun::chargeFinished(Counters& counters) {
  const std::uint64_t ran = context_->instructions - finishedSince_;
  for (const Finished& finished : finished_)
    (finished.branch < 0 ? counters.lostToFinished
                         : counters.branches[std::size_t(finished.branch)].lostSlots) +=
        ran * lanesIn(finished.lanes);
  finishedSince_ = context_->instructions;
}

/// Threads return from the kernel.
void WarpRun::retire(LaneMask lanes, Counters& counters) {
  chargeFinished(counters);
  live_ &= ~lanes;
  context_->live = live_;
  int branch = -1;
  for (int index = ready_.back(); index >= 0; index = entries_[std::size_t(index)].parent) {
    Entry& entry = entries_[std::size_t(index)];
    entry.mask &= ~lanes;
    branch = branch < 0 ? entry.owner : branch;
  }
  const auto known = std::ranges::find(finished_, branch, &Finished::branch);
  if (known == finished_.end())
    finished_.push_back({branch, lanes});
  else
    known->lanes |= lanes;
}

void WarpRun::settle(Counters& counters) {
  countRun(counters);
  for (Entry& entry : entries_)
    if (entry.live)
      charge(entry, counters);
  chargeFinished(counters);
}

void WarpRun::giveBackFrames() {
  for (Entry& entry : entries_)
    if (entry.live && entry.ownsFrame)
      frames_->giveBack(entry.frame, entry.function->frameSize);
  entries_.clear();
  ready_.clear();
}

} // namespace heddle::engine
