// SPDX-License-Identifier: Apache-2.0
#include "engine/WarpRun.h"

#include "engine/BlockRun.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace heddle::engine {
namespace {

constexpr std::uint64_t pollsBeforeFirstLook = 32;

std::uint64_t lanesIn(LaneMask mask) {
  return std::uint64_t(countLanes(mask));
}

} // namespace

void WarpRun::start(const CompiledKernel& kernel, WarpContext& context, FramePool& frames,
                    Reconvergence policy, LaneMask existing) {
  kernel_ = &kernel;
  context_ = &context;
  frames_ = &frames;
  policy_ = policy;
  account_ = context.block->accounts();
  trace_ = context.trace;
  existing_ = live_ = existing;
  missingLanes_ = lanesIn(~existing);
  context.live = existing;
  context.instructions = 0;
  context.faulted = context.awaited = 0;
  context.barrierVotes = 0;
  runMask_ = 0;
  context.runLanes = ranSince_ = finishedSince_ = 0;
  told_ = 0;
  context.lookAt = context.block->instructionsBetweenChecks();
  entries_.clear();
  free_.clear();
  ready_.clear();
  splits_.clear();
  uses_.clear();
  finished_.clear();
  atBarrier_.clear();
  atWarpBarrier_.clear();
  trips_.assign(kernel.prototype.loops.size(), 0);
  context.trips = trips_.data();
  visits_.clear();
  polls_ = 0;
  lookAt_ = pollsBeforeFirstLook;
  anchorBlock_ = nullptr;
  returns_ = 0;
  strayed_ = 0;
  rotations_ = 0;
  progressed_ = true;
  uniforms_.clear();
  groupInFrame_.clear();
  lastGroup_ = 0;
  const CompiledFunction& function = kernel.functions.front();
  std::byte* frame = frames.take(function.frameSize);
  *reinterpret_cast<FrameHeader*>(frame) = {nullptr, frame + function.localBegin};
  Entry& whole = entries_.emplace_back();
  whole.function = &function;
  whole.frame = frame;
  whole.mask = existing;
  whole.active = whole.ownsFrame = whole.live = true;
  whole.stackBytes = function.stackBytes();
  ready_.push_back(0);
}

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

void WarpRun::chargeFinished(Counters& counters) {
  const std::uint64_t ran = context_->instructions - finishedSince_;
  for (const Finished& finished : finished_)
    (finished.branch < 0 ? counters.lostToFinished
                         : counters.branches[std::size_t(finished.branch)].lostSlots) +=
        ran * lanesIn(finished.lanes);
  finishedSince_ = context_->instructions;
}

/// Adds what has run since the running lanes last changed to the counters.
inline void WarpRun::countRun(Counters& counters) {
  const std::uint64_t ran = context_->instructions - ranSince_;
  ranSince_ = context_->instructions;
  counters.warpInstructions += ran;
  counters.threadInstructions += ran * context_->runLanes;
  counters.lostToPartial += ran * missingLanes_;
}

inline void WarpRun::runAs(LaneMask mask, Counters& counters) {
  countRun(counters);
  runMask_ = mask;
  context_->runLanes = lanesIn(mask);
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

void WarpRun::takeLoopEdge(const LoopEdge& edge, LaneMask lanes, Counters& counters) {
  for (const LoopEdge::Leave& leave : edge.leaves) {
    const std::uint64_t iterations =
        (trips_[std::size_t(leave.loop)] + (leave.bodyDone ? 1 : 0)) * leave.times;
    if (leave.isPiece)
      visits_.add(leave.loop, lanes, iterations);
    else
      counters.loops[std::size_t(leave.loop)].leave(iterations, lanesIn(lanes));
  }
  for (const LoopEdge::Visit& visit : edge.visits)
    visits_.take(visit, lanes, counters);
  if (edge.repeats >= 0)
    ++trips_[std::size_t(edge.repeats)];
  if (edge.enters >= 0)
    trips_[std::size_t(edge.enters)] = 0;
}

void WarpRun::countSplit(const CompiledBlock& block, LaneMask mask, LaneMask taken,
                         Counters& counters) {
  BranchCounters& branch = counters.branches[std::size_t(block.branch)];
  branch.executions += block.startsBranch ? 1 : 0;
  branch.lanes[0] += lanesIn(taken);
  branch.lanes[1] += lanesIn(mask & ~taken);
  ++branch.divergentExecutions;
  // Lanes leave a loop with the trips so far, before the others begin the next one.
  const bool firstRepeats =
      block.repeats[0] >= 0 ||
      (block.loopEdges[0] >= 0 && kernel_->loopEdges[std::size_t(block.loopEdges[0])].repeats >= 0);
  takeEdge(block, firstRepeats ? 1 : 0, firstRepeats ? mask & ~taken : taken, counters);
  takeEdge(block, firstRepeats ? 0 : 1, firstRepeats ? taken : mask & ~taken, counters);
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

/// As split(), without entries; false where it must have them.
inline bool WarpRun::splitQuickly(const CompiledBlock& block, LaneMask taken, LaneMask& mask,
                                  int& at, int& end, Counters& counters) {
  const CompiledFunction& function = *entries_[std::size_t(ready_.back())].function;
  if (trace_ != nullptr || block.polls)
    return false;
  BranchCounters& branch = counters.branches[std::size_t(block.branch)];
  for (const int side : {0, 1})
    if (leavesJoin(function, end, block, side)) {
      const LaneMask all = mask;
      if (!leaveQuickly(block, side, side == 0 ? taken : mask & ~taken, mask, at, end, counters))
        return false;
      countSplit(block, all, taken, counters);
      ++branch.pathRuns[1 - side];
      return true;
    }
  if (block.join == noBlock)
    return false;
  countSplit(block, mask, taken, counters);
  LaneMask lanes[2] = {taken, mask & ~taken};
  for (const int side : {0, 1}) {
    if (block.successors[side] == block.join)
      lanes[side] = 0;
    else
      ++branch.pathRuns[side];
  }
  at = block.join;
  if ((lanes[0] | lanes[1]) == 0) // both sides are the join
    return true;
  const int side = lanes[0] != 0 ? 0 : 1;
  splits_.push_back({&block, mask, end, side, lanes[side], side == 0 ? lanes[1] : 0,
                     context_->instructions, block.join});
  mask = lanes[side];
  at = block.successors[side];
  end = block.join;
  runAs(mask, counters);
  return true;
}

/// As leaveLoop(), without entries; false where it must have them.
bool WarpRun::leaveQuickly(const CompiledBlock& block, int side, LaneMask lanes, LaneMask& mask,
                           int& at, int& end, Counters& counters) {
  if (trace_ != nullptr || block.polls)
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

inline void WarpRun::chargeSide(QuickSplit& split, Counters& counters) const {
  BranchCounters& branch = counters.branches[std::size_t(split.block->branch)];
  const std::uint64_t ran = context_->instructions - split.beganAt;
  branch.lostSlots += ran * lanesIn(split.mask & ~split.lanes);
  branch.pathInstructions[split.side] += ran;
  split.beganAt = context_->instructions;
}

/// A side of the innermost quick split is at the join: the other one begins, or both go on.
inline void WarpRun::endSide(LaneMask& mask, int& at, int& end, Counters& counters) {
  QuickSplit& split = splits_.back();
  chargeSide(split, counters);
  if (split.kind == QuickSplit::Kind::Leaving) {
    for (std::size_t i = split.behind; i + 1 < splits_.size(); ++i)
      splits_[i].beganAt = context_->instructions;
    mask = split.pending;
    end = split.end;
    at = mask == 0 ? end : split.block->successors[1 - split.side];
    splits_.pop_back();
  } else if (split.pending != 0) {
    split.side = 1 - split.side;
    mask = split.lanes = split.pending;
    split.pending = 0;
    at = split.block->successors[split.side];
  } else {
    mask = split.mask;
    end = split.end;
    at = mask == 0 ? end : at;
    splits_.pop_back();
  }
  runAs(mask, counters);
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

/// One side of a divergent branch leaves a loop in which its lanes were to meet others; the other
/// side goes on there.
void WarpRun::splitFromLoop(const CompiledBlock& block, int side, LaneMask lanes,
                            Counters& counters) {
  const int leaf = ready_.back();
  BranchCounters& branch = counters.branches[std::size_t(block.branch)];
  ++branch.pathRuns[1 - side];
  entries_[std::size_t(leaf)].block = block.successors[1 - side];
  leaveLoop(block, side, lanes, counters);
}

/// Lanes of the running leaf leave a loop from inside and go to wait behind it; those that stay
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
void WarpRun::leaveLoop(const CompiledBlock& block, int side, LaneMask lanes, Counters& counters) {
  const int leaf = ready_.back();
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

/// Lanes that call the same function go together.
bool WarpRun::pushCall(const CompiledBlock& block, int caller, int function, LaneMask mask) {
  const CompiledFunction& callee = kernel_->functions[std::size_t(function)];
  const Entry& from = entries_[std::size_t(caller)];
  const unsigned depth = from.stackBytes + callee.stackBytes();
  if (depth > context_->block->stackLimit()) {
    context_->block->stackOverflow(*context_, block.site, mask, callee.name);
    return false;
  }
  std::byte* frame = frames_->take(callee.frameSize);
  *reinterpret_cast<FrameHeader*>(frame) = {from.frame + block.resultSlot,
                                            frame + callee.localBegin};
  std::memcpy(frame + callee.argumentsBegin, context_->outgoing, callee.argumentsSize);
  ready_.push_back(addEntry({.function = &callee,
                             .frame = frame,
                             .mask = mask,
                             .parent = caller,
                             .owner = block.branch,
                             .ownsFrame = true,
                             .stackBytes = depth}));
  ++entries_[std::size_t(caller)].children;
  return true;
}

void WarpRun::call(const CompiledBlock& block, Counters& counters) {
  const int caller = ready_.back();
  Entry& top = entries_[std::size_t(caller)];
  const LaneMask mask = top.mask;
  top.block = block.successors[0];
  ready_.pop_back();
  if (block.callee >= 0) {
    if (pushCall(block, caller, block.callee, mask))
      activate(ready_.back());
    return;
  }
  std::uint64_t targets = 0;
  for (LaneMask rest = mask; rest != 0; ++targets) {
    const std::uint64_t target = context_->callTargets[std::countr_zero(rest)];
    LaneMask same = 0;
    for (LaneMask lanes = rest; lanes != 0; lanes &= lanes - 1)
      if (context_->callTargets[std::countr_zero(lanes)] == target)
        same |= LaneMask{1} << std::countr_zero(lanes);
    rest &= ~same;
    const auto function = kernel_->functionByHandle.find(target);
    if (function == kernel_->functionByHandle.end()) {
      context_->block->badCall(*context_, block.site, same, target);
      return;
    }
    if (!pushCall(block, caller, function->second, same))
      return;
  }
  BranchCounters& branch = counters.branches[std::size_t(block.branch)];
  ++branch.executions;
  branch.divergentExecutions += targets - 1;
  branch.pathRuns[0] += targets > 1 ? targets : 0;
  branch.lanes[1] += lanesIn(mask); // none takes a "first side"
  activate(ready_.back());
}

/// Whether the leaf may go on at once; otherwise it waits for the lanes it is to meet.
bool WarpRun::waitForWarp(LaneMask wanted, const CompiledBlock& block) {
  const LaneMask mask = entries_[std::size_t(ready_.back())].mask;
  if ((wanted & live_ & ~mask) == 0)
    return true;
  if (policy_ == Reconvergence::Stack) {
    context_->block->missingLanes(*context_, unsigned(block.site), mask, wanted & live_ & ~mask,
                                  wanted);
    return false;
  }
  atWarpBarrier_.push_back({ready_.back(), wanted, block.site});
  ready_.pop_back();
  return false;
}

/// The leaf has come to a block that begins with a function of the warp whose mask names lanes that
/// are elsewhere: it has not run, and the leaf waits for them.
void WarpRun::awaitLanes(const CompiledBlock& block, Counters& counters) {
  context_->instructions -= block.instructions;
  context_->lookAt = context_->instructions + context_->block->instructionsBetweenChecks();
  atWarpBarrier_.push_back(
      {ready_.back(), context_->awaited, int(context_->awaitSite), /*together=*/true});
  context_->awaited = 0;
  ready_.pop_back();
  if (!ready_.empty())
    refocus(counters);
}

/// Whether lanes were let go on for the sake of one that waits, and have gone elsewhere.
bool WarpRun::strayed(const Waiting& waiting, LaneMask present) const {
  return (waiting.wanted & strayed_ & ~present) != 0;
}

/// Lets lanes go on that have all met at a __syncwarp. Returns whether any did.
bool WarpRun::releaseWarpBarriers() {
  LaneMask present = 0;
  for (const Waiting& waiting : atWarpBarrier_)
    present |= waiting.together ? 0 : entries_[std::size_t(waiting.entry)].mask;
  const auto met = std::ranges::partition(atWarpBarrier_, [&](const Waiting& waiting) {
    return waiting.together || (waiting.wanted & live_ & ~present) != 0 ||
           strayed(waiting, present);
  });
  for (const Waiting& waiting : met)
    ready_.push_back(waiting.entry);
  const bool any = !met.empty();
  if (any)
    strayed_ &= ~present;
  atWarpBarrier_.erase(met.begin(), met.end());
  return any;
}

/// Goes on after a block that ends otherwise than by a branch. Returns false when the warp must
/// stop.
bool WarpRun::endSpecialBlock(const CompiledBlock& block, Counters& counters) {
  Entry& top = entries_[std::size_t(ready_.back())];
  switch (block.kind) {
  case BlockKind::Jump:
  case BlockKind::Branch:
    return true;
  case BlockKind::Return:
    if (top.function == &kernel_->functions.front())
      retire(top.mask, counters);
    top.block = top.join = noBlock;
    return true;
  case BlockKind::Barrier:
    top.block = block.successors[0];
    atBarrier_.push_back({ready_.back(), 0, block.site});
    ready_.pop_back();
    if (!ready_.empty())
      refocus(counters);
    return true;
  case BlockKind::WarpBarrier:
    top.block = block.successors[0];
    if (!waitForWarp(context_->warpSyncMask, block)) {
      releaseWarpBarriers();
      if (!ready_.empty())
        refocus(counters);
    }
    return context_->faulted == 0;
  case BlockKind::Call:
    call(block, counters);
    return context_->faulted == 0;
  }
  return true;
}

LaneMask WarpRun::runBlock(const CompiledBlock& block, std::byte* frame, LaneMask mask) {
  const LaneMask taken = block.code == nullptr ? 0 : block.code(frame, context_, mask);
  context_->instructions += block.instructions;
  return taken;
}

/// Runs the top leaf until another one is the top, or the warp must stop. It ends at every barrier,
/// so a call of it would cost a lot.
// NOLINTNEXTLINE(readability-function-size): one loop over state that must stay in registers
[[gnu::always_inline]] inline WarpRun::LeafEnd WarpRun::runLeaf(Counters& counters) {
  Entry* top = &entries_[std::size_t(ready_.back())];
  WarpContext& context = *context_;
  const CompiledFunction& function = *top->function;
  const CompiledBlock* const blocks = function.blocks.data();
  std::byte* const frame = top->frame;
  LaneMask mask = top->mask;
  int at = top->block;
  int end = at == noBlock || mask == 0 ? at : top->join;
  if (mask != runMask_)
    runAs(mask, counters);
  std::optional<std::uint32_t> use; // by a warp that is traced
  const auto enter = [&] {
    if (!splits_.empty()) {
      enterSides();
      top = &entries_[std::size_t(ready_.back())];
    }
  };
  for (;;) {
    if (at == end) {
      if (splits_.empty())
        break;
      endSide(mask, at, end, counters);
      continue;
    }
    LaneMask taken = 0;
    if (top->hasRun) [[unlikely]] {
      top->hasRun = false;
      taken = top->taken & mask;
      context.instructions += blocks[at].instructions;
      if (trace_ != nullptr)
        note(*top, at, use);
    } else if (trace_ != nullptr) [[unlikely]] {
      note(*top, at, use);
      taken = runBlock(blocks[at], frame, mask);
    } else {
      const std::uint64_t stop = function.walk(frame, &context, mask, at, end);
      at = int(std::uint32_t(stop));
      taken = LaneMask(stop >> 32);
      if (at == noBlock) {
        at = end;
        continue;
      }
    }
    const CompiledBlock& block = blocks[at];
    if (context.instructions >= context.lookAt) [[unlikely]] {
      enter();
      if (context.awaited != 0) {
        top->block = at;
        awaitLanes(block, counters);
        return LeafEnd::Changed;
      }
      if (!mayGoOn())
        return LeafEnd::Faulted;
    }
    if (block.kind == BlockKind::Branch && (taken == mask || taken == 0)) {
      const int side = taken == 0 ? 1 : 0;
      countBranch(block, side, counters);
      takeEdge(block, side, mask, counters);
      if (leavesJoin(function, end, block, side)) {
        if (leaveQuickly(block, side, mask, mask, at, end, counters))
          continue;
        enter();
        leaveLoop(block, side, mask, counters); // `top` has no lanes any more
        return LeafEnd::Changed;
      }
      at = block.successors[side];
    } else if (block.kind == BlockKind::Jump) {
      takeEdge(block, 0, mask, counters);
      at = block.successors[0];
    } else if (block.kind == BlockKind::Barrier && mask == live_ && !block.polls) {
      top->block = block.successors[0];
      barrierSite_ = block.site;
      return block.votes ? LeafEnd::AtBarrier : LeafEnd::AtPlainBarrier;
    } else if (block.kind == BlockKind::Branch &&
               splitQuickly(block, taken, mask, at, end, counters)) {
      continue;
    } else {
      enter();
      top->block = at;
      if (block.kind == BlockKind::Branch)
        split(block, taken, counters);
      else if (!endSpecialBlock(block, counters))
        return LeafEnd::Faulted;
      if (block.polls && lookAround(block, counters) == LeafEnd::Stuck)
        return LeafEnd::Stuck;
      return LeafEnd::Changed;
    }
    if (block.polls) [[unlikely]] {
      enter();
      top->block = at;
      if (const LeafEnd found = lookAround(block, counters); found != LeafEnd::Same)
        return found;
    }
  }
  top->block = at;
  arrive(counters);
  return LeafEnd::Changed;
}

/// After a block that polls: whether it is time to let others run.
WarpRun::LeafEnd WarpRun::lookAround(const CompiledBlock& block, Counters& counters) {
  if (ready_.empty() || ++polls_ < lookAt_)
    return LeafEnd::Same;
  pollSite_ = block.pollSite;
  if (!looksStuck(entries_[std::size_t(ready_.back())]))
    return LeafEnd::Same;
  return makeRoom(counters) ? LeafEnd::Changed : LeafEnd::Stuck;
}

bool WarpRun::mayGoOn() {
  if (context_->faulted != 0)
    return false;
  context_->lookAt = context_->instructions + context_->block->instructionsBetweenChecks();
  const std::uint64_t ran = context_->instructions - std::min(told_, context_->instructions);
  told_ += ran;
  return context_->block->mayGoOn(*context_, ran);
}

WarpState WarpRun::run(Counters& counters) {
  progressed_ = returns_ == 0;
  for (;;) {
    while (!ready_.empty()) {
      const LeafEnd end = runLeaf(counters);
      if (end == LeafEnd::AtPlainBarrier || end == LeafEnd::AtBarrier) {
        progressed_ = true; // the same thread goes on with it: it need not count yet
        return end == LeafEnd::AtBarrier ? WarpState::AtBarrier : WarpState::AtPlainBarrier;
      }
      if (end == LeafEnd::Faulted || end == LeafEnd::Stuck) {
        countRun(counters);
        return end == LeafEnd::Faulted ? WarpState::Faulted : WarpState::Spinning;
      }
    }
    progressed_ = true;
    if (releaseWarpBarriers()) {
      refocus(counters);
      continue;
    }
    if (runTogether(counters) || letOthersCome(atWarpBarrier_, counters))
      continue;
    if (!atWarpBarrier_.empty()) {
      countRun(counters);
      const Waiting& waiting = atWarpBarrier_.front();
      const LaneMask mask = entries_[std::size_t(waiting.entry)].mask;
      context_->block->missingLanes(*context_, unsigned(waiting.site), mask,
                                    waiting.wanted & (live_ | strayed_) & ~mask, waiting.wanted);
      return WarpState::Faulted;
    }
    if (lanesAtBarrier() != live_ && letOthersCome(atBarrier_, counters))
      continue;
    if (!atBarrier_.empty())
      return WarpState::AtBarrier;
    countRun(counters);
    break;
  }
  chargeFinished(counters);
  return WarpState::Finished;
}

LaneMask WarpRun::lanesAtBarrier() const {
  LaneMask lanes = atBarrier_.empty() ? live_ : 0;
  for (const Waiting& waiting : atBarrier_)
    lanes |= entries_[std::size_t(waiting.entry)].mask;
  return lanes;
}

LaneMask WarpRun::missingAtBarrier() const {
  if (atBarrier_.empty())
    return 0;
  // Lanes that were let go on since others wait here must have come here, not to another barrier.
  LaneMask present = 0;
  for (const Waiting& waiting : atBarrier_)
    if (strayed_ == 0 || waiting.site == atBarrier_.front().site)
      present |= entries_[std::size_t(waiting.entry)].mask;
  return (live_ | strayed_) & ~present;
}

int WarpRun::barrierSite() const {
  return atBarrier_.empty() ? barrierSite_ : atBarrier_.front().site;
}

void WarpRun::releaseApart(Counters& counters) {
  for (const Waiting& waiting : atBarrier_)
    ready_.push_back(waiting.entry);
  atBarrier_.clear();
  strayed_ = 0;
  if (!ready_.empty())
    refocus(counters);
}

LaneMask WarpRun::runningLanes() const {
  return ready_.empty() ? 0 : entries_[std::size_t(ready_.back())].mask;
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
