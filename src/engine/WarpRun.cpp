// SPDX-License-Identifier: Apache-2.0
#include "engine/WarpRun.h"

#include "engine/BlockRun.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <utility>

namespace heddle::engine {

void WarpRun::start(const CompiledKernel& kernel, WarpContext& context, FramePool& frames,
                    Reconvergence policy, LaneMask existing, TraceWindows::Limits traced) {
  kernel_ = &kernel;
  context_ = &context;
  frames_ = &frames;
  policy_ = policy;
  account_ = context.block->accounts();
  trace_ = context.trace;
  watched_ = trace_ != nullptr;
  windows_.start(trace_, traced, context.block->number());
  resumeAt_ = TraceWindows::never;
  hasMet_ = false;
  context.standsFor = 1;
  records_ = false;
  recording_.reset();
  existing_ = live_ = existing;
  missingLanes_ = lanesIn(~existing);
  context.live = existing;
  context.instructions = 0;
  context.faulted = context.awaited = 0;
  context.barrierVotes = 0;
  runMask_ = 0;
  context.runLanes = ranSince_ = finishedSince_ = 0;
  told_ = 0;
  takesTurns_ = context.block->warpsTakeTurns();
  lookLater();
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
  polls_ = polled_ = gaveWayAt_ = laneInstructions_ = 0;
  lastPoll_ = nullptr;
  lookAt_ = std::numeric_limits<std::uint64_t>::max();
  idleLooks_.assign(std::size_t(kernel.pollLoops), 0);
  givesWay_ = false;
  anchorBlock_ = nullptr;
  returns_ = 0;
  strayed_ = 0;
  rotations_ = 0;
  progressed_ = true;
  uniforms_.clear();
  groupInFrame_.clear();
  lastGroup_ = 0;
  const CompiledFunction& function = kernel.functions.front();
  std::byte* frame = frames.take(function.frameSize, function.localBegin);
  *reinterpret_cast<FrameHeader*>(frame) = {nullptr, frame + function.localBegin};
  Entry& whole = entries_.emplace_back();
  whole.function = &function;
  whole.frame = frame;
  whole.mask = existing;
  whole.active = whole.ownsFrame = whole.live = true;
  whole.stackBytes = function.stackBytes();
  ready_.push_back(0);
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

/// Lanes take an edge by themselves, while those they part from wait.
void WarpRun::passEdge(int entry, const CompiledBlock& block, int side, LaneMask lanes, LaneMask of,
                       Counters& counters) {
  const std::uint64_t length = block.edgeInstructions[std::size_t(side)];
  if (length == 0)
    return;
  const LaneMask before = runMask_;
  BranchCounters& branch = counters.branches[std::size_t(block.branch)];
  branch.lostSlots += length * lanesIn(of & ~lanes);
  branch.pathInstructions[std::size_t(side)] += length;
  runAs(lanes, counters);
  context_->instructions += length;
  runAs(before, counters);
  if (watched_)
    noteArrival(entry, block, side, lanes, of);
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

/// As split(), without entries; false where it must have them.
inline bool WarpRun::splitQuickly(const CompiledBlock& block, LaneMask taken, LaneMask& mask,
                                  int& at, int& end, Counters& counters) {
  const CompiledFunction& function = *entries_[std::size_t(ready_.back())].function;
  if (watched_ || block.polls)
    return false;
  BranchCounters& branch = counters.branches[std::size_t(block.branch)];
  for (const int side : {0, 1})
    if (leavesJoin(function, end, block, side)) {
      const LaneMask all = mask;
      if (leavesJoin(function, end, block, 1 - side) ||
          !leaveQuickly(block, side, side == 0 ? taken : mask & ~taken, mask, at, end, counters))
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
      passEdge(ready_.back(), block, side, std::exchange(lanes[side], 0), mask, counters);
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
    hasMet_ = true;
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

LaneMask WarpRun::runWatched(const Entry& leaf, int block, LeafUse& use) {
  if (trace_ != nullptr)
    note(leaf, block, use.traced);
  const LaneMask taken = runBlock(leaf.function->blocks[std::size_t(block)], leaf.frame, leaf.mask);
  if (records_ && context_->awaited == 0) // else it has not run yet
    record(block, use.recorded);
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
  LeafUse use; // by a warp that is watched
  bool isOver = false;
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
    if (isOver) [[unlikely]] {
      enter();
      top->block = at;
      return LeafEnd::Changed;
    }
    LaneMask taken = 0;
    if (top->hasRun) [[unlikely]] {
      top->hasRun = false;
      taken = top->taken & mask;
      context.instructions += blocks[at].instructions;
      if (trace_ != nullptr)
        note(*top, at, use.traced);
      if (records_)
        record(at, use.recorded);
    } else if (watched_) [[unlikely]] {
      taken = runWatched(*top, at, use);
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
      if (context.instructions >= resumeAt_) {
        resumeTrace();
        use = {};
      }
      isOver = turnIsOver_ = takesTurns_;
    }
    if (block.kind == BlockKind::Branch && (taken == mask || taken == 0)) {
      const int side = taken == 0 ? 1 : 0;
      countBranch(block, side, counters);
      takeEdge(block, side, mask, counters);
      if (leavesJoin(function, end, block, side)) {
        if (leaveQuickly(block, side, mask, mask, at, end, counters))
          continue;
        enter();
        leaveLoop(ready_.back(), block, side, mask, counters); // `top` has no lanes any more
        return LeafEnd::Changed;
      }
      if (block.edgeInstructions[std::size_t(side)] > 0) {
        context.instructions += block.edgeInstructions[std::size_t(side)];
        if (watched_)
          noteArrival(ready_.back(), block, side, mask, mask);
      }
      at = block.successors[side];
    } else if (block.kind == BlockKind::Jump) {
      takeEdge(block, 0, mask, counters);
      at = block.successors[0];
    } else if (block.kind == BlockKind::Barrier && mask == live_ && !block.polls) {
      top->block = block.successors[0];
      barrierSite_ = block.site;
      hasMet_ = true;
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
  polled_ += lastPoll_ == &block ? block.pollLength : 0;
  if (lastPoll_ == nullptr || lastPoll_->pollLoop != block.pollLoop)
    lookLaterAt(block);
  lastPoll_ = &block;
  if (ready_.empty() || ++polls_ < lookAt_)
    return LeafEnd::Same;
  pollSite_ = block.pollSite;
  if (!looksStuck(entries_[std::size_t(ready_.back())], block))
    return turnIsOver_ ? LeafEnd::Changed : LeafEnd::Same;
  context_->block->notePolling();
  return makeRoom(counters) ? LeafEnd::Changed : LeafEnd::Stuck;
}

bool WarpRun::mayGoOn() {
  if (context_->faulted != 0)
    return false;
  lookLater();
  const std::uint64_t ran = context_->instructions - std::min(told_, context_->instructions);
  told_ += ran;
  return context_->block->mayGoOn(*context_, ran);
}

WarpState WarpRun::run(Counters& counters) {
  progressed_ = returns_ == 0;
  turnIsOver_ = givesWay_ = false;
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
      if (turnIsOver_) {
        countRun(counters);
        progressed_ = true;
        return WarpState::Spinning;
      }
    }
    progressed_ = progressed_ || returns_ == 0; // a vote of those that poll is none
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

LaneMask WarpRun::runningLanes() const {
  return ready_.empty() ? 0 : entries_[std::size_t(ready_.back())].mask;
}

} // namespace heddle::engine
