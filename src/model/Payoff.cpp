// SPDX-License-Identifier: Apache-2.0
#include "model/Payoff.h"

#include "model/BestWord.h"
#include "model/NativeLoop.h"
#include "model/Simulation.h"
#include "support/LaneMask.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heddle::model {
namespace {

bool isTime(double value) {
  return value >= 0 && value <= longestTime;
}

double meanPathTime(const Branching& branching) {
  return std::accumulate(branching.costs().begin(), branching.costs().end(), 0.0) /
         branching.ways();
}

/// The policies worth pricing here: cost-aging equals aging for equal costs, and the fixed policy
/// needs a word, which is known for two ways or given.
Expected<std::vector<SimulationRequest>> candidates(const PayoffRequest& request) {
  const Branching& branching = request.branching;
  std::vector<SimulationRequest> list;
  for (const PolicyInfo& info : allPolicies()) {
    SimulationRequest candidate{.branching = branching, .policy = info.policy};
    candidate.iterations = request.iterations;
    candidate.warps = request.warps;
    candidate.seed = request.seed;
    const double p = branching.probability(0);
    if (info.policy == Policy::Native ||
        (info.policy == Policy::CostAging && branching.equalCosts()))
      continue;
    if (info.policy == Policy::Fixed) {
      candidate.word = request.word;
      if (!request.word && branching.ways() == 2 && p > 0 && p < 1) {
        HEDDLE_TRY(const BestWord best, findBestWord({p, 3, 10}, Measure::Exact));
        candidate.word = best.word;
      }
      if (!candidate.word)
        continue;
    }
    list.push_back(std::move(candidate));
  }
  return list;
}

PolicyPayoff price(const PayoffRequest& request, const SimulationRequest& candidate,
                   double nativeTime, Progress& progress) {
  const SimulationResult run = simulate(candidate, progress);
  const auto turn = request.turnTimes.find(candidate.policy);
  const Branching& branching = request.branching;
  PolicyPayoff payoff{.policy = candidate.policy, .word = candidate.word};
  payoff.turnTime = turn == request.turnTimes.end() ? request.turnTime : turn->second;
  payoff.stepsPerIteration = run.steps.mean;
  payoff.stepsError = run.steps.standardError;
  payoff.stepsOfPath = run.stepsOfPath;

  double pathTime = 0;
  for (int path = 0; path < branching.ways(); ++path)
    pathTime += run.stepsOfPath[std::size_t(path)] * branching.cost(path);
  const double overhead = run.steps.mean * (request.loopTime + payoff.turnTime);
  payoff.time = pathTime + overhead;
  payoff.speedup = nativeTime / payoff.time;

  // native - scheduled = scale * (native path time - path time) - (overhead - tL), at scale = 1
  const double gainOfPaths = nativePathTime(branching, warpSize) - pathTime;
  if (gainOfPaths > 0)
    payoff.threshold =
        (overhead - request.loopTime) / gainOfPaths * meanPathTime(branching) / request.loopTime;
  const double relativeError = run.steps.standardError / run.steps.mean;
  payoff.pays = payoff.speedup > 1 + 2 * relativeError;
  return payoff;
}

} // namespace

const PolicyPayoff* Payoff::best() const {
  const auto fastest = std::ranges::max_element(policies, {}, &PolicyPayoff::speedup);
  return fastest == policies.end() || !fastest->pays ? nullptr : &*fastest;
}

std::optional<double> payoffThreshold(double steps, double nativeSteps, double turnOverLoop) {
  if (steps >= nativeSteps)
    return std::nullopt;
  return (steps * (1 + turnOverLoop) - 1) / (nativeSteps - steps);
}

Expected<void> validatePayoff(const PayoffRequest& request) {
  if (!(request.loopTime > 0) || !isTime(request.loopTime))
    return fail(ErrorKind::BadInput, "loop time {}: expected above 0, at most {:g}",
                request.loopTime, longestTime);
  if (!isTime(request.turnTime))
    return fail(ErrorKind::BadInput, "turn time {}: expected 0 to {:g}", request.turnTime,
                longestTime);
  for (const auto& [policy, time] : request.turnTimes)
    if (!isTime(time))
      return fail(ErrorKind::BadInput, "turn time {} of {}: expected 0 to {:g}", time,
                  policyName(policy), longestTime);
  return validateSimulation(
      {.branching = request.branching, .iterations = request.iterations, .warps = request.warps});
}

Expected<Payoff> computePayoff(const PayoffRequest& request, Progress& progress) {
  HEDDLE_CHECK(validatePayoff(request));
  HEDDLE_TRY(const std::vector<SimulationRequest> list, candidates(request));
  for (const SimulationRequest& candidate : list)
    progress.expect(expectedWork(candidate));
  Payoff payoff;
  payoff.nativeTime = request.loopTime + nativePathTime(request.branching, warpSize);
  payoff.nativeSteps = nativeStepsPerIteration(request.branching, warpSize);
  payoff.ratio = meanPathTime(request.branching) / request.loopTime;
  for (const SimulationRequest& candidate : list)
    payoff.policies.push_back(price(request, candidate, payoff.nativeTime, progress));
  return payoff;
}

} // namespace heddle::model
