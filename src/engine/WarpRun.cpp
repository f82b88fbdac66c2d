// SPDX-License-Identifier: Apache-2.0
#include "engine/WarpRun.h"

#include <cassert>

namespace heddle::engine {

void WarpRun::start(const CompiledKernel& kernel, std::byte* frame, LaneMask existing) {
  kernel_ = &kernel;
  frame_ = frame;
  existing_ = live_ = existing;
  instructions_ = finishedSince_ = 0;
  stack_.clear();
  stack_.push_back({.block = 0, .join = noBlock, .mask = existing});
}

/// The top entry begins to run: from here on its parent's other lanes are lost to its branch.
void WarpRun::activateTop() {
  if (stack_.empty())
    return;
  Entry& top = stack_.back();
  const bool fresh = top.parent >= 0 && top.maskedLanes == 0;
  if (!fresh)
    return; // the entry below a popped one that waits at its own join
  top.maskedLanes = countLanes(stack_[std::size_t(top.parent)].mask & ~top.mask);
  top.beganAt = instructions_;
}

void WarpRun::popTop(profile::LaunchProfile& account) {
  const Entry& top = stack_.back();
  if (top.owner >= 0)
    account.branches[std::size_t(top.owner)].lostSlots +=
        (instructions_ - top.beganAt) * std::uint64_t(top.maskedLanes);
  stack_.pop_back();
  activateTop();
}

void WarpRun::chargeFinished(profile::LaunchProfile& account) {
  account.lostToFinished +=
      (instructions_ - finishedSince_) * std::uint64_t(countLanes(existing_ & ~live_));
  finishedSince_ = instructions_;
}

void WarpRun::retire(LaneMask lanes, profile::LaunchProfile& account) {
  chargeFinished(account);
  live_ &= ~lanes;
  for (Entry& entry : stack_)
    entry.mask &= ~lanes;
  popTop(account);
}

void WarpRun::branchTo(const CompiledBlock& block, LaneMask taken,
                       profile::LaunchProfile& account) {
  Entry& top = stack_.back();
  const LaneMask mask = top.mask;
  profile::BranchProfile& branch = account.branches[std::size_t(block.branch)];
  ++branch.executions;
  branch.laneExecutions += std::uint64_t(countLanes(mask));
  branch.lanesTaken += std::uint64_t(countLanes(taken));
  if (taken == mask || taken == 0) {
    top.block = block.successors[taken == mask ? 0 : 1];
    return;
  }
  ++branch.divergentExecutions;
  top.block = block.join;
  const int parent = static_cast<int>(stack_.size()) - 1;
  const auto push = [&](int successor, LaneMask lanes) {
    if (successor != block.join)
      stack_.push_back({.block = successor,
                        .join = block.join,
                        .mask = lanes,
                        .parent = parent,
                        .owner = block.branch});
  };
  push(block.successors[1], mask & ~taken);
  push(block.successors[0], taken);
  activateTop();
}

WarpState WarpRun::run(profile::LaunchProfile& account) {
  const auto& blocks = kernel_->blocks();
  const auto* context = reinterpret_cast<const WarpContext*>(frame_);
  const std::uint64_t partial = std::uint64_t(countLanes(~existing_));
  while (!stack_.empty()) {
    Entry& top = stack_.back();
    if (top.block == top.join || top.block == noBlock || top.mask == 0) {
      popTop(account);
      continue;
    }
    const CompiledBlock& block = blocks[std::size_t(top.block)];
    const LaneMask taken = block.code(frame_, top.mask);
    if (context->fault->found)
      return WarpState::Faulted;
    instructions_ += block.instructions;
    account.warpInstructions += block.instructions;
    account.threadInstructions += block.instructions * std::uint64_t(countLanes(top.mask));
    account.lostToPartial += block.instructions * partial;
    if (block.successors[0] == noBlock) {
      retire(top.mask, account);
    } else if (block.successors[1] == noBlock) {
      top.block = block.successors[0];
      if (block.endsInBarrier)
        return WarpState::AtBarrier;
    } else {
      branchTo(block, taken, account);
    }
  }
  chargeFinished(account);
  return WarpState::Finished;
}

} // namespace heddle::engine
