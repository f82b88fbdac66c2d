// SPDX-License-Identifier: Apache-2.0
#include "advise/Prices.h"

#include "advise/Losses.h"
#include "model/NativeLoop.h"
#include "model/Payoff.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace heddle::advise {
namespace {

constexpr int warpLanes = 32;
// The device library's loops: 22 instructions a turn and 180 an exchange, counted in their machine
// code for an H200. They wait for votes and barriers, which takes about as long again.
constexpr double agingTurn = 2 * 22;
constexpr double exchange = 2 * 180;
constexpr double leftOver = 1.08; ///< warps of mixed ways at the ends of a regrouped block
constexpr int simulatedWarps = 60;
constexpr double modelError = 0.3; ///< against the replay, over the examples

double nativeTurn(const PricedBranch& branch, const model::Branching& branching) {
  return branch.rest + model::nativePathTime(branching, warpLanes);
}

Expected<model::Branching> branchingOf(const PricedBranch& branch) {
  return model::Branching::make(branch.shares, branch.lengths);
}

Price between(double speedup, double error) {
  Price price;
  price.speedup = speedup;
  price.low = speedup * (1 - error);
  price.high = speedup * (1 + error);
  return price;
}

double longestOf(const PricedBranch& branch) {
  return *std::ranges::max_element(branch.lengths);
}

Price priceScheduling(const PricedBranch& branch) {
  const auto branching = branchingOf(branch);
  if (!branching || branch.turns < 2)
    return {.why = "the loop goes around less than twice"};
  model::PayoffRequest request{.branching = *branching,
                               .loopTime = std::max(1.0, branch.rest),
                               .turnTime = agingTurn,
                               .iterations = std::clamp(int(branch.turns), 2, 1000),
                               .warps = simulatedWarps};
  Progress silent;
  const auto payoff = model::computePayoff(request, silent);
  if (!payoff)
    return {.why = payoff.error().message};
  const model::PolicyPayoff* best = nullptr;
  for (const model::PolicyPayoff& each : payoff->policies)
    if ((each.policy == model::Policy::Aging || each.policy == model::Policy::CostAging) &&
        (best == nullptr || each.speedup > best->speedup))
      best = &each;
  if (best == nullptr)
    return {.why = "no policy fits"};
  Price price = between(best->speedup, modelError);
  price.form = model::policyName(best->policy);
  price.why =
      fmt::format("paths of {:.0f} instructions, {:.0f} besides, {:.2f} of {:.2f} paths a turn",
                  longestOf(branch), branch.rest, best->stepsPerIteration, payoff->nativeSteps);
  return price;
}

Price priceRegrouping(const PricedBranch& branch) {
  const auto branching = branchingOf(branch);
  if (!branching)
    return {.why = branching.error().message};
  // All warps of the block wait for the one with the longest path; other blocks fill half of that.
  const double paths = (leftOver * branching->meanCost() + longestOf(branch)) / 2;
  const double regrouped = branch.rest + paths + exchange;
  Price price = between(nativeTurn(branch, *branching) / regrouped, modelError);
  price.why = fmt::format("a turn of {:.0f} instructions becomes {:.0f}, of them {:.0f} to regroup",
                          nativeTurn(branch, *branching), regrouped, exchange);
  return price;
}

/// Of a loop whose turns are strips of iterations: between nothing and all that its condition
/// loses.
Price priceStrips(const profile::KernelProfile& kernel, const PricedBranch& branch) {
  Price price;
  price.high = mostSpeedup(kernel, branch.lostShare);
  price.speedup = price.high / (1 + exchange / longestOf(branch));
  price.why =
      fmt::format("of the {:.1f} % that the loop loses; {:.0f} instructions to regroup {:.0f}",
                  100 * branch.lostShare, exchange, longestOf(branch));
  return price;
}

Price priceOfAll(const profile::KernelProfile& kernel, const PricedBranch& branch) {
  Price price;
  price.high = mostSpeedup(kernel, branch.lostShare);
  price.speedup = price.high;
  price.why = fmt::format("all of the {:.1f} % that the branch loses", 100 * branch.lostShare);
  return price;
}

/// Sides that never ran while the other one waited have no length of their own.
std::vector<double> measuredLengths(const profile::BranchProfile& branch) {
  std::vector<double> lengths;
  for (std::size_t side = 0; side < 2; ++side)
    lengths.push_back(
        branch.pathRuns[side] > 0
            ? std::max(1.0, double(branch.pathInstructions[side]) / double(branch.pathRuns[side]))
            : 1.0);
  return lengths;
}

} // namespace

PricedBranch describeBranch(const profile::KernelProfile& kernel,
                            const profile::BranchProfile& branch,
                            const std::vector<double>& lengths, double lostShare) {
  PricedBranch result;
  result.lostShare = lostShare;
  const double executions = std::max(1.0, double(branch.executions));
  const double threads =
      double(kernel.blocks) * kernel.block[0] * kernel.block[1] * kernel.block[2];
  result.turns = double(branch.laneExecutions()) / std::max(1.0, threads);
  if (lengths.size() == 1) {
    result.shares = {1};
    result.lengths = lengths;
    return result;
  }
  const std::size_t ways = std::max<std::size_t>(2, lengths.size());
  if (ways == 2) {
    const double taken = double(branch.lanes[0]) / std::max(1.0, double(branch.laneExecutions()));
    result.shares = {taken, 1 - taken};
    result.lengths = measuredLengths(branch);
  } else {
    // Of n equal shares all but one wait at any time: that is what the lost slots are made of.
    const double paths =
        double(branch.lostSlots) / warpLanes / executions / (1 - 1.0 / double(ways));
    const double sum = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    for (const double length : lengths) {
      result.shares.push_back(1.0 / double(ways));
      result.lengths.push_back(std::max(1.0, paths * length / sum));
    }
  }
  double onPaths = 0;
  for (std::size_t i = 0; i < ways; ++i)
    onPaths += model::pathRunShare(result.shares[i], warpLanes) * result.lengths[i];
  result.rest = std::max(1.0, double(kernel.warpInstructions) / executions - onPaths);
  return result;
}

Price priceOf(std::string_view rewrite, const profile::KernelProfile& kernel,
              const PricedBranch& branch) {
  if (rewrite == "schedule-iterations")
    return priceScheduling(branch);
  if (rewrite == "regroup")
    return branch.lengths.size() == 1 ? priceStrips(kernel, branch) : priceRegrouping(branch);
  return priceOfAll(kernel, branch);
}

} // namespace heddle::advise
