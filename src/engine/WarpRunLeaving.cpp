// SPDX-License-Identifier: Apache-2.0
//
// Lanes that leave a loop from inside: with entries, and on the stack of quick splits.
#include "engine/WarpRun.h"

#include <algorithm>

namespace heddle::engine {

/// One side of a divergent branch leaves a loop in which its lanes were to meet others; the other
/// side goes on there, or leaves a loop, too: perhaps another one.
void WarpRun::splitFromLoop(const CompiledBlock& block, int side, LaneMask lanes,
                            Counters& counters) {
  const int leaf = ready_.back();
  const LaneMask others = entries_[std::size_t(leaf)].mask & ~lanes;
  const bool bothLeave = leavesJoin(entries_[std::size_t(leaf)], block, 1 - side);
  entries_[std::size_t(leaf)].block = block.successors[1 - side];
  leaveLoop(leaf, block, side, lanes, counters);
  if (bothLeave)
    leaveLoop(leaf, block, 1 - side, others, counters);
  else
    ++counters.branches[std::size_t(block.branch)].pathRuns[1 - side];
}

/// Lanes of a leaf leave a loop from inside and go to wait behind it; those that stay
/// meet in the loop without them:
///
///   P                              P
///   +- T, waits in the loop        +- N, waits behind the loop
///      +- ... leaf          ==>       +- lanes that leave, run up to there
///                                     +- T without them, in the loop
///                                        +- ... leaf without them
///
/// T is the outermost entry that is in the loop. What it lacks of N is lost to the branch by which
/// the lanes left; later lanes that leave by the same branch wait in the same N.
void WarpRun::leaveLoop(int leaf, const CompiledBlock& block, int side, LaneMask lanes,
                        Counters& counters) {
  passEdge(leaf, block, side, lanes, entries_[std::size_t(leaf)].mask, counters);
  for (int index = leaf; index >= 0; index = entries_[std::size_t(index)].parent)
    charge(entries_[std::size_t(index)], counters);
  const CompiledFunction& function = *entries_[std::size_t(leaf)].function;
  const int level = block.leaves[side];
  const int behind = function.levels[std::size_t(level)].exitJoin;
  int outermost = leaf;
  while (function.isIn(level, entries_[std::size_t(outermost)].join))
    outermost = entries_[std::size_t(outermost)].parent;
  int waiting = placeBehind(outermost, block, side, behind);
  if (waiting < 0)
    waiting = waitBehind(outermost, block, side, behind);
  for (int index = leaf; index != waiting; index = entries_[std::size_t(index)].parent)
    entries_[std::size_t(index)].mask &= ~lanes;
  Entry& around = entries_[std::size_t(waiting)];
  if (block.successors[side] == behind && behind != noBlock) {
    around.arrived |= lanes;
  } else {
    ++around.children;
    const int leaving = addSide(block, leaf, side, lanes);
    entries_[std::size_t(leaving)].parent = waiting;
    entries_[std::size_t(leaving)].join = behind;
    ready_.push_back(leaving);
    ++counters.branches[std::size_t(block.branch)].pathRuns[side];
  }
  refocus(counters);
}

/// The entry in which lanes wait that left by this branch before; -1 if none did.
int WarpRun::placeBehind(int inside, const CompiledBlock& block, int side, int behind) const {
  for (int index = inside; index >= 0;) {
    const Entry& entry = entries_[std::size_t(index)];
    if (behind == noBlock || entry.parent < 0 || entry.join != behind || entry.ownsFrame ||
        entries_[std::size_t(entry.parent)].block != behind)
      return -1;
    index = entry.parent;
    if (entry.owner == block.branch && entry.side == 1 - side)
      return index;
  }
  return -1;
}

/// Makes that entry.
int WarpRun::waitBehind(int outermost, const CompiledBlock& block, int side, int behind) {
  const int waiting = addEntry(entries_[std::size_t(outermost)]);
  Entry& inside = entries_[std::size_t(outermost)];
  inside.parent = waiting;
  inside.join = behind;
  inside.owner = block.branch;
  inside.side = 1 - side;
  inside.ownsFrame = false;
  Entry& around = entries_[std::size_t(waiting)];
  around.block = behind;
  around.children = 1;
  around.arrived = 0;
  return waiting;
}

/// As leaveLoop(), without entries; false where it must have them.
bool WarpRun::leaveQuickly(const CompiledBlock& block, int side, LaneMask lanes, LaneMask& mask,
                           int& at, int& end, Counters& counters) {
  if (watched_ || block.polls)
    return false;
  const std::optional<std::size_t> behind = moveBehind(block, side, lanes, mask, end, counters);
  if (!behind)
    return false;
  mask &= ~lanes;
  if (const QuickSplit& waiting = splits_[*behind]; block.successors[side] == waiting.join) {
    at = mask == 0 ? end : block.successors[1 - side];
  } else {
    for (std::size_t i = *behind; i < splits_.size(); ++i)
      chargeSide(splits_[i], counters);
    ++counters.branches[std::size_t(block.branch)].pathRuns[side];
    const int join = waiting.join;
    splits_.push_back({&block, waiting.mask, end, side, lanes, mask, context_->instructions, join,
                       QuickSplit::Kind::Leaving, *behind});
    mask = lanes;
    at = block.successors[side];
    end = join;
  }
  runAs(mask, counters);
  return true;
}

/// Takes lanes out of the quick splits of a loop and puts them into N. T is a side of a quick
/// split, or the running leaf. Returns the place of N; nothing where there must be entries.
std::optional<std::size_t> WarpRun::moveBehind(const CompiledBlock& block, int side, LaneMask lanes,
                                               LaneMask mask, int& end, Counters& counters) {
  using Kind = QuickSplit::Kind;
  const Entry& leaf = entries_[std::size_t(ready_.back())];
  const int level = block.leaves[side];
  const int behind = leaf.function->levels[std::size_t(level)].exitJoin;
  std::size_t inside = splits_.size(); // the first one in T
  while (inside > 0 && leaf.function->isIn(level, splits_[inside - 1].join)) {
    --inside;
    if (splits_[inside].kind == Kind::Leaving)
      return {};
  }
  const int endOfLeaf = splits_.empty() ? end : splits_.front().end;
  if (behind == noBlock || (inside == 0 && leaf.function->isIn(level, endOfLeaf)))
    return {};
  passEdge(ready_.back(), block, side, lanes, mask, counters);
  const auto isBehind = [&](const QuickSplit& split) {
    return split.kind == Kind::Behind && split.join == behind;
  };
  std::size_t known = inside; // after the N of lanes that left by this branch before
  while (known > 0 && isBehind(splits_[known - 1]) &&
         (splits_[known - 1].block->branch != block.branch || splits_[known - 1].side == side))
    --known;
  const bool isKnown = known > 0 && isBehind(splits_[known - 1]);
  for (std::size_t i = isKnown ? known : inside; i < splits_.size(); ++i) {
    splits_[i].mask &= ~lanes;
    splits_[i].lanes &= ~lanes;
  }
  if (isKnown) {
    chargeSide(splits_[known - 1], counters);
    splits_[known - 1].lanes &= ~lanes;
    return known - 1;
  }
  const LaneMask all = inside > 0 ? splits_[inside - 1].lanes : splits_.empty() ? mask : leaf.mask;
  const int before = inside > 0 ? splits_[inside - 1].join : endOfLeaf;
  (inside == splits_.size() ? end : splits_[inside].end) = behind;
  splits_.insert(splits_.begin() + std::ptrdiff_t(inside),
                 {&block, all, before, 1 - side, all & ~lanes, 0, context_->instructions, behind,
                  Kind::Behind});
  return inside;
}

/// Makes N, around the running leaf. Returns it.
int WarpRun::enterBehind(const QuickSplit& split) {
  const int leaf = ready_.back();
  const int waiting = waitBehind(leaf, *split.block, 1 - split.side, split.join);
  entries_[std::size_t(waiting)].arrived = split.mask & ~split.lanes;
  Entry& inside = entries_[std::size_t(leaf)];
  inside.mask = split.lanes;
  inside.active = true;
  inside.beganAt = split.beganAt;
  inside.maskedLanes = countLanes(split.mask & ~split.lanes);
  return waiting;
}

/// The lanes on their way become the running leaf; the one before waits for its turn.
void WarpRun::enterLeaving(const QuickSplit& split, int waiting) {
  const int staying = ready_.back();
  entries_[std::size_t(staying)].block = split.block->successors[1 - split.side];
  for (int index = staying; index != waiting; index = entries_[std::size_t(index)].parent)
    entries_[std::size_t(index)].active = false; // charged when the others left
  const int leaving = addSide(*split.block, staying, split.side, split.lanes);
  Entry& child = entries_[std::size_t(leaving)];
  child.parent = waiting;
  child.join = split.join;
  child.active = true;
  child.beganAt = split.beganAt;
  child.maskedLanes = countLanes(split.mask & ~split.lanes);
  Entry& around = entries_[std::size_t(waiting)];
  around.arrived &= ~split.lanes;
  ++around.children;
  ready_.push_back(leaving);
}

} // namespace heddle::engine
