// SPDX-License-Identifier: Apache-2.0
//
// Calls, and lanes that wait for others of their warp or block.
#include "engine/WarpRun.h"

#include "engine/BlockRun.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace heddle::engine {

/// Lanes that call the same function go together.
bool WarpRun::pushCall(const CompiledBlock& block, int caller, int function, LaneMask mask) {
  const CompiledFunction& callee = kernel_->functions[std::size_t(function)];
  const Entry& from = entries_[std::size_t(caller)];
  const unsigned depth = from.stackBytes + callee.stackBytes();
  if (depth > context_->block->stackLimit()) {
    context_->block->stackOverflow(*context_, block.site, mask, callee.name);
    return false;
  }
  std::byte* frame = frames_->take(callee.frameSize, callee.localBegin);
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
  if ((mask & ~wanted) != 0) {
    context_->block->unnamedLanes(*context_, block.site, mask & ~wanted, wanted);
    return false;
  }
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
  lookLater();
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

/// Lets lanes go on that have all met at a __syncwarp. Returns whether any did. A leaf may have
/// lanes of several masks: whoever waits for one of them goes on no earlier than all of the leaf,
/// or would come to the next __syncwarp while those lanes are still at this one.
bool WarpRun::releaseWarpBarriers() {
  LaneMask present = 0;
  for (const Waiting& waiting : atWarpBarrier_)
    present |= waiting.together ? 0 : entries_[std::size_t(waiting.entry)].mask;
  const auto staysFor = [&](const Waiting& waiting) {
    return waiting.together || (waiting.wanted & live_ & ~present) != 0 ||
           strayed(waiting, present);
  };
  for (LaneMask before = ~present; before != present;) {
    before = present;
    for (const Waiting& waiting : atWarpBarrier_)
      if (!waiting.together && staysFor(waiting))
        present &= ~entries_[std::size_t(waiting.entry)].mask;
  }
  const auto met = std::ranges::partition(atWarpBarrier_, staysFor);
  for (const Waiting& waiting : met)
    ready_.push_back(waiting.entry);
  const bool any = !met.empty();
  if (any)
    strayed_ &= ~present;
  atWarpBarrier_.erase(met.begin(), met.end());
  return any;
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
  // Lanes that were let go on since others wait here must not have come to another barrier. Those
  // that have returned are not waited for: they may have been at a join only because LLVM has made
  // one way out of several returns.
  LaneMask present = 0;
  for (const Waiting& waiting : atBarrier_)
    if (strayed_ == 0 || waiting.site == atBarrier_.front().site)
      present |= entries_[std::size_t(waiting.entry)].mask;
  return live_ & ~present;
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

} // namespace heddle::engine
