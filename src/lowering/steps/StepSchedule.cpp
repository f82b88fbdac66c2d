// SPDX-License-Identifier: Apache-2.0
//
//   1. Find who waits for whom, and how long the longest chain is that begins with each step.
//   2. Cycle by cycle, take of the steps that can issue the one with the longest chain.
//
// RegisterSchedule.cpp schedules, too, and is not this: it orders LLVM's instructions, and what it
// counts are the registers that are live meanwhile. Here the steps of a block are given, memory
// keeps its order, and only the times between them matter. Each has the latencies of its purpose.
#include "lowering/steps/StepSchedule.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace heddle::lowering {
namespace {

using profile::Step;
using profile::StepKind;
using profile::Unit;

constexpr int predicateLatency = 13; ///< from a comparison to the branch that needs it

/// Roughly, on any device: only the order matters, not the cycles.
int latencyOf(const Step& step) {
  constexpr int arithmetic = 4, special = 17, memory = 40;
  if (step.kind == StepKind::Access)
    return memory;
  if (step.kind == StepKind::Merge)
    return 0;
  const bool isSlow = step.unit == Unit::Special || step.unit == Unit::Convert;
  const int each = isSlow ? special : arithmetic;
  return each * std::max<int>(1, step.dependent);
}

bool keepsItsPlace(const Step& step) {
  if (step.kind == StepKind::Merge)
    return false;
  return step.kind == StepKind::Access || step.kind == StepKind::Barrier ||
         step.kind == StepKind::Fence || step.unit == Unit::Control || step.waitsForPredicate;
}

struct Edge {
  std::size_t to;
  int cycles; ///< until the other step can issue
};

struct StepNode {
  std::vector<Edge> users;
  int producers = 0; ///< not yet placed
  int chain = 0;     ///< cycles from its issue to the end of the block
  int earliest = 0;
};

class StepScheduler {
public:
  /// The end of the block is not placed, but may wait for one of the steps.
  StepScheduler(const std::vector<Step>& steps, const Step& end)
      : steps_(steps), end_(end), nodes_(steps.size()) {}

  std::vector<Step> run();

private:
  void link(std::size_t from, std::size_t to, int cycles);
  void findProducers();
  void findChains();
  std::size_t choose(int time) const;

  const std::vector<Step>& steps_;
  const Step& end_;
  std::vector<StepNode> nodes_;
  std::vector<std::size_t> ready_;
};

void StepScheduler::link(std::size_t from, std::size_t to, int cycles) {
  nodes_[from].users.push_back({to, cycles});
  ++nodes_[to].producers;
}

// Step 1
void StepScheduler::findProducers() {
  std::unordered_map<int, std::size_t> writers; ///< of each value, the last one so far
  std::optional<std::size_t> previous;          ///< of those that keep their place
  for (std::size_t to = 0; to < steps_.size(); ++to) {
    for (const int operand : steps_[to].operands)
      if (const auto found = writers.find(operand); operand >= 0 && found != writers.end())
        link(found->second, to,
             steps_[to].waitsForPredicate ? predicateLatency : latencyOf(steps_[found->second]));
    if (steps_[to].result >= 0)
      writers[steps_[to].result] = to;
    if (!keepsItsPlace(steps_[to]))
      continue;
    if (previous)
      link(*previous, to, steps_[*previous].issues);
    previous = to;
  }
}

void StepScheduler::findChains() {
  for (std::size_t i = steps_.size(); i-- > 0;) {
    const bool isAwaited =
        steps_[i].result >= 0 &&
        std::ranges::find(end_.operands, steps_[i].result) != end_.operands.end();
    nodes_[i].chain = isAwaited ? predicateLatency : 0;
    for (const auto& [user, cycles] : nodes_[i].users)
      nodes_[i].chain = std::max(nodes_[i].chain, cycles + nodes_[user].chain);
  }
}

std::size_t StepScheduler::choose(int time) const {
  std::size_t best = ready_.size();
  for (std::size_t i = 0; i < ready_.size(); ++i) {
    const StepNode& node = nodes_[ready_[i]];
    if (node.earliest > time)
      continue;
    const bool better = best == ready_.size() || node.chain > nodes_[ready_[best]].chain ||
                        (node.chain == nodes_[ready_[best]].chain && ready_[i] < ready_[best]);
    best = better ? i : best;
  }
  return best;
}

// Step 2
std::vector<Step> StepScheduler::run() {
  findProducers();
  findChains();
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].producers == 0)
      ready_.push_back(i);
  std::vector<Step> order;
  for (int time = 0; !ready_.empty();) {
    const std::size_t chosen = choose(time);
    if (chosen == ready_.size()) {
      ++time;
      continue;
    }
    const std::size_t placed = ready_[chosen];
    ready_.erase(ready_.begin() + std::ptrdiff_t(chosen));
    order.push_back(steps_[placed]);
    for (const auto& [user, cycles] : nodes_[placed].users) {
      nodes_[user].earliest = std::max(nodes_[user].earliest, time + cycles);
      if (--nodes_[user].producers == 0)
        ready_.push_back(user);
    }
    time += steps_[placed].issues;
  }
  return order;
}

} // namespace

void scheduleSteps(std::vector<Step>& steps) {
  const auto isMerge = [](const Step& step) { return step.kind == StepKind::Merge; };
  const auto first = std::ranges::find_if_not(steps, isMerge);
  const bool ends = !steps.empty() && steps.back().unit == Unit::Control; // a branch or a return
  const auto last = ends ? steps.end() - 1 : steps.end();
  if (last - first < 3)
    return;
  const std::vector<Step> middle(first, last);
  const Step end = ends ? steps.back() : Step{};
  std::ranges::copy(StepScheduler(middle, end).run(), first);
}

} // namespace heddle::lowering
