// SPDX-License-Identifier: Apache-2.0
//
// Finds which step waits for which, and lists them (ListSchedule.h). Memory keeps its order.
#include "lowering/steps/StepSchedule.h"

#include "lowering/ListSchedule.h"

#include <algorithm>
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

/// The steps between a block's beginning and its end, which is not placed but may wait for one.
ListSchedule scheduleOf(const std::vector<Step>& steps, const Step& end) {
  ListSchedule schedule;
  std::unordered_map<int, int> writers; ///< of each value, the last one so far
  int previous = -1;                    ///< of those that keep their place
  for (const Step& step : steps) {
    const bool isAwaited =
        step.result >= 0 && std::ranges::find(end.operands, step.result) != end.operands.end();
    const int number = schedule.add(isAwaited ? predicateLatency : 0, step.issues);
    for (const int operand : step.operands)
      if (const auto found = writers.find(operand); operand >= 0 && found != writers.end())
        schedule.wait(number, found->second,
                      step.waitsForPredicate ? predicateLatency
                                             : latencyOf(steps[std::size_t(found->second)]));
    if (step.result >= 0)
      writers[step.result] = number;
    if (!keepsItsPlace(step))
      continue;
    if (previous >= 0)
      schedule.wait(number, previous, steps[std::size_t(previous)].issues);
    previous = number;
  }
  return schedule;
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
  auto place = first;
  scheduleOf(middle, ends ? steps.back() : Step{}).run([&](int number) {
    *place++ = middle[std::size_t(number)];
  });
}

} // namespace heddle::lowering
