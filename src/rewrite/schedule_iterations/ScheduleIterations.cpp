// SPDX-License-Identifier: Apache-2.0
#include "rewrite/schedule_iterations/ScheduleIterations.h"

#include "rewrite/schedule_iterations/Price.h"
#include "rewrite/schedule_iterations/Refusals.h"
#include "rewrite/ways/LoopCall.h"
#include "rewrite/ways/WayCosts.h"
#include "rewrite/ways/WayLoop.h"

#include <algorithm>
#include <cmath>

namespace heddle::rewrite::schedule_iterations {
namespace {

constexpr double unequal = 1.5; ///< from this ratio of path lengths on, a policy should know them
constexpr double mostCost = 16; ///< small numbers keep their common multiple small

/// "cost_aging<1, 1, 5, 10>": lengths in units of the shortest.
std::optional<std::string> costPolicy(const std::vector<double>& lengths) {
  const double shortest = std::max(1.0, *std::ranges::min_element(lengths));
  const double longest = *std::ranges::max_element(lengths);
  if (longest < unequal * shortest)
    return std::nullopt;
  const double unit = std::max(shortest, longest / mostCost);
  std::string text;
  for (const double length : lengths)
    text +=
        fmt::format("{}{}", text.empty() ? "" : ", ", std::max(1, int(std::lround(length / unit))));
  return "cost_aging<" + text + ">";
}

constexpr std::string_view forms[] = {"aging", "cost_aging"};

} // namespace

Legal<std::vector<Proposal>> proposeScheduledLoops(const Source& source, const Target& target) {
  auto cut = cutLoop(source, *target.branch);
  if (!cut)
    return tl::unexpected(cut.error());
  std::vector<std::string> policies = {"aging"};
  const std::vector<double> lengths =
      wayLengths(source, *target.branch->statement, cut->armRanges, target.measured.loops);
  if (const auto costs = costPolicy(lengths))
    policies.push_back(*costs);
  std::vector<Proposal> proposals;
  for (const std::string& policy : policies) {
    const std::string call =
        fmt::format("heddle::scheduled_loop<heddle::{}, {}>", policy, cut->ways.size());
    Edits edits = source.include("heddle/schedule.cuh");
    edits.add(cut->pragmas);
    edits.replace(cut->range, loopCall(source, *cut, call, "", "[&] {"));
    proposals.push_back({policy, std::move(edits), lengths});
  }
  return proposals;
}

const Rewrite room{
    .name = "schedule-iterations",
    .summary = "run one path of a loop's branch per turn, for all lanes that want it",
    .forms = forms,
    .formsAreAlike = true,
    .needsIndependence = true,
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeScheduledLoops,
    .price = priceScheduling,
};

} // namespace heddle::rewrite::schedule_iterations
