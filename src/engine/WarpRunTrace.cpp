// SPDX-License-Identifier: Apache-2.0
//
// What a traced warp notes of its run: the basic blocks in order, and who had the lanes meanwhile.
#include "engine/WarpRun.h"

#include "engine/BlockRun.h"

#include <algorithm>

namespace heddle::engine {
namespace {

std::uint64_t hashOf(const profile::LaneUse& use) {
  std::uint64_t hash = std::uint64_t(use.active) << 24 | std::uint64_t(use.ended) << 16 |
                       std::uint64_t(use.finished) << 8 | std::uint64_t(use.partial);
  for (const auto& [branch, lanes] : use.branches)
    hash = (hash ^ (std::uint64_t(branch) << 8 | std::uint64_t(lanes))) * 0x9e3779b97f4a7c15u;
  return hash;
}

} // namespace

/// Who has the lanes while a leaf runs.
profile::LaneUse WarpRun::laneUse(int leaf) const {
  profile::LaneUse use;
  use.active = countLanes(entries_[std::size_t(leaf)].mask);
  for (const Finished& finished : finished_) {
    use.ended += countLanes(finished.lanes);
    if (finished.branch < 0)
      use.finished = countLanes(finished.lanes);
    else
      use.branches.push_back({finished.branch, countLanes(finished.lanes)});
  }
  use.partial = countLanes(~existing_);
  for (int index = leaf; entries_[std::size_t(index)].parent >= 0;) {
    const Entry& entry = entries_[std::size_t(index)];
    index = entry.parent;
    const int lanes = countLanes(entries_[std::size_t(index)].mask & ~entry.mask);
    if (lanes > 0 && entry.owner >= 0) {
      use.branches.push_back({entry.owner, lanes});
      ++use.depth;
    }
  }
  return use;
}

/// Its number in the trace.
std::uint32_t WarpRun::numberOf(profile::LaneUse use) {
  const std::uint64_t hash = hashOf(use);
  const auto [known, isNew] = uses_.try_emplace(hash, std::uint32_t(trace_->uses.size()));
  if (!isNew && trace_->uses[known->second] == use)
    return known->second;
  if (!isNew) // another one with the same hash
    if (const auto same = std::ranges::find(trace_->uses, use); same != trace_->uses.end())
      return std::uint32_t(same - trace_->uses.begin());
  trace_->uses.push_back(std::move(use));
  return std::uint32_t(trace_->uses.size() - 1);
}

/// When to look up next: whether to stop, to trace again, or to let others run.
void WarpRun::lookLater() {
  constexpr std::uint64_t shortestTurn = 256, longestTurn = 4096;
  std::uint64_t turn = context_->block->instructionsBetweenChecks();
  if (takesTurns_) // short ones at first, so that each warp comes to its first work
    turn = std::min(turn, std::clamp(context_->instructions / 4, shortestTurn, longestTurn));
  context_->lookAt = std::min(resumeAt_, context_->instructions + turn);
}

/// Ends a window of the trace, and begins the next one if that is now. Of a warp that polls, or
/// that waits for others at barriers, only the beginning is traced: what it waits for must be in
/// their traces too.
bool WarpRun::goesOnTracing() {
  resumeAt_ = windows_.end(context_->instructions, !hasMet_ && !context_->block->hasPolled());
  if (resumeAt_ <= context_->instructions) {
    resumeTrace();
    return true;
  }
  pausedTrace_ = trace_;
  trace_ = context_->trace = nullptr;
  watched_ = records_;
  context_->counts &= ~countsMoved;
  context_->lookAt = std::min(context_->lookAt, resumeAt_);
  return false;
}

void WarpRun::resumeTrace() {
  windows_.resume(context_->instructions);
  resumeAt_ = TraceWindows::never;
  if (trace_ == nullptr)
    trace_ = context_->trace = pausedTrace_;
  watched_ = true;
  context_->counts |= countsMoved;
  context_->standsFor = windows_.distance();
}

void WarpRun::note(const Entry& leaf, int block, std::optional<std::uint32_t>& use) {
  if (windows_.isFull() && !goesOnTracing())
    return;
  if (!use)
    use = numberOf(laneUse(ready_.back()));
  trace_->executions.push_back({leaf.function->firstShape + std::uint32_t(block), *use,
                                std::uint32_t(trace_->traffic.size())});
}

/// Lanes of an entry come to a place where they meet others, by themselves; those of `of` that are
/// not among them wait because of the branch.
void WarpRun::noteArrival(int entry, const CompiledBlock& block, int side, LaneMask lanes,
                          LaneMask of) {
  if (records_)
    recordEdge(entry, block, side, lanes, of & ~lanes);
  if (trace_ == nullptr)
    return;
  profile::LaneUse use = laneUse(entry);
  use.active = countLanes(lanes);
  if (const int lost = countLanes(of & ~lanes); lost > 0) {
    use.branches.push_back({block.branch, lost});
    ++use.depth;
  }
  trace_->executions.push_back({entries_[std::size_t(entry)].function->arrivalShape,
                                numberOf(std::move(use)), std::uint32_t(trace_->traffic.size())});
}

} // namespace heddle::engine
