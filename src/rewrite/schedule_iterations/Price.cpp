// SPDX-License-Identifier: Apache-2.0
#include "rewrite/schedule_iterations/Price.h"

#include "model/Payoff.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::rewrite::schedule_iterations {
namespace {

// The device library's loop: 22 instructions a turn, counted in its machine code for an H200. It
// waits for votes, which takes about as long again.
constexpr double agingTurn = 2 * 22;
// A letter of a word has no vote: 25 instructions, where a turn of the plain loop has 17.
constexpr double letterTurn = 8;
constexpr int simulatedWarps = 60;

bool isTried(model::Policy policy) {
  return policy == model::Policy::Aging || policy == model::Policy::CostAging ||
         policy == model::Policy::Fixed;
}

} // namespace

advise::Price priceScheduling(const profile::KernelProfile&, const advise::PricedBranch& branch) {
  const auto branching = model::Branching::make(branch.shares, branch.lengths);
  if (!branching || branch.turns < 2)
    return {.why = "the loop goes around less than twice"};
  model::PayoffRequest request{.branching = *branching,
                               .loopTime = std::max(1.0, branch.rest),
                               .turnTime = agingTurn,
                               .turnTimes = {{model::Policy::Fixed, letterTurn}},
                               .iterations = std::clamp(int(branch.turns), 2, 1000),
                               .warps = simulatedWarps};
  Progress silent;
  const auto payoff = model::computePayoff(request, silent);
  if (!payoff)
    return {.why = payoff.error().message};
  const model::PolicyPayoff* best = nullptr;
  for (const model::PolicyPayoff& each : payoff->policies)
    if (isTried(each.policy) && (best == nullptr || each.speedup > best->speedup))
      best = &each;
  if (best == nullptr)
    return {.why = "no policy fits"};
  advise::Price price{.speedup = best->speedup};
  price.form = best->policy == model::Policy::Fixed ? "word" : model::policyName(best->policy);
  price.why =
      fmt::format("paths of {:.0f} instructions, {:.0f} besides, {:.2f} of {:.2f} paths a turn",
                  branch.longest(), branch.rest, best->stepsPerIteration, payoff->nativeSteps);
  return price;
}

} // namespace heddle::rewrite::schedule_iterations
