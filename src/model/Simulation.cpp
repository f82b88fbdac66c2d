// SPDX-License-Identifier: Apache-2.0
#include "model/Simulation.h"

#include "model/NativeLoop.h"
#include "model/PolicyRules.h"
#include "support/Invariant.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <string>

namespace heddle::model {
namespace {

/// What one warp did: per path how often it ran, and in how many lanes.
struct WarpRecord {
  std::array<std::uint32_t, maxWays> steps{};
  std::array<std::uint64_t, maxWays> laneRuns{};
};

/// wanting[path], without an index that would force the masks out of registers.
template <std::size_t Ways>
LaneMask lanesWanting(const std::array<LaneMask, Ways>& wanting, int path) {
  LaneMask lanes = 0;
  for (std::size_t candidate = 0; candidate < Ways; ++candidate)
    lanes |= candidate == std::size_t(path) ? wanting[candidate] : 0;
  return lanes;
}

template <int Ways, class Rule>
WarpRecord runScheduled(const SimulationRequest& request, std::uint32_t warp, Rule rule) {
  DecisionStream<Ways> decisions(request.branching.probabilities(), request.seed, warp);
  LaneCounters done(static_cast<std::uint32_t>(request.iterations));
  PathMasks<Ways> wanting = decisions.next();
  WarpRecord record;
  for (LaneMask live = allLanes; live != 0;) {
    const int path = rule.choose(wanting, done);
    const LaneMask running = lanesWanting(wanting, path);
    ++record.steps[std::size_t(path)];
    record.laneRuns[std::size_t(path)] += std::uint64_t(countLanes(running));

    const PathMasks<Ways> fresh = decisions.next();
    for (std::size_t other = 0; other < Ways; ++other)
      wanting[other] = (wanting[other] & ~running) | (fresh[other] & running);
    // Lanes finish rarely. As a branch, the next step does not wait for the counters.
    if (const LaneMask finished = done.add(running); finished != 0) [[unlikely]] {
      for (LaneMask& lanes : wanting)
        lanes &= ~finished;
      live &= ~finished;
    }
  }
  return record;
}

template <int Ways> WarpRecord runNative(const SimulationRequest& request, std::uint32_t warp) {
  DecisionStream<Ways> decisions(request.branching.probabilities(), request.seed, warp);
  WarpRecord record;
  for (int iteration = 0; iteration < request.iterations; ++iteration) {
    const PathMasks<Ways> taking = decisions.next();
    for (std::size_t path = 0; path < Ways; ++path) {
      record.steps[path] += taking[path] != 0 ? 1 : 0;
      record.laneRuns[path] += std::uint64_t(countLanes(taking[path]));
    }
  }
  return record;
}

Word alternatingWord(const Branching& branching) {
  std::string letters;
  for (int path = 0; path < branching.ways(); ++path)
    letters += pathLetter(path);
  auto word = Word::parse(letters, branching);
  assert(word && "every path is in the word of all letters");
  return *word;
}

template <int Ways> WarpRecord runWarp(const SimulationRequest& request, std::uint32_t warp) {
  const Branching& branching = request.branching;
  switch (request.policy) {
  case Policy::Native:
    return runNative<Ways>(request, warp);
  case Policy::Alternating:
    return runScheduled<Ways>(request, warp,
                              WordRule<Ways>(alternatingWord(branching), request.skipEmpty));
  case Policy::Fixed:
    return runScheduled<Ways>(request, warp, WordRule<Ways>(*request.word, request.skipEmpty));
  case Policy::Frequency:
    return runScheduled<Ways>(request, warp, FrequencyRule<Ways>(request.ties, request.seed, warp));
  case Policy::Laggard:
    return runScheduled<Ways>(request, warp, LaggardRule<Ways>());
  case Policy::Aging:
    return runScheduled<Ways>(request, warp, AgingRule<Ways>(branching, /*byCost=*/false));
  case Policy::CostAging:
    return runScheduled<Ways>(request, warp, AgingRule<Ways>(branching, /*byCost=*/true));
  }
  return {};
}

using WarpRunner = WarpRecord (*)(const SimulationRequest&, std::uint32_t);
constexpr WarpRunner runners[] = {runWarp<2>, runWarp<3>, runWarp<4>, runWarp<5>,
                                  runWarp<6>, runWarp<7>, runWarp<8>};

double efficiencyOf(const WarpRecord& record, const Branching& branching) {
  double working = 0, spent = 0;
  for (int path = 0; path < branching.ways(); ++path) {
    working += double(record.laneRuns[std::size_t(path)]) * branching.cost(path);
    spent += double(record.steps[std::size_t(path)]) * branching.cost(path) * warpSize;
  }
  return working / spent;
}

SimulationResult collect(const SimulationRequest& request, const std::vector<WarpRecord>& records) {
  const std::uint64_t owed = std::uint64_t(request.iterations) * warpSize;
  SimulationResult result;
  result.stepsOfPath.assign(std::size_t(request.branching.ways()), 0);
  std::vector<double> steps;
  for (const WarpRecord& record : records) {
    const auto runs =
        std::accumulate(record.laneRuns.begin(), record.laneRuns.end(), std::uint64_t{0});
    HEDDLE_INVARIANT(runs == owed, "every lane runs every one of its iterations once");
    result.efficiencies.push_back(efficiencyOf(record, request.branching));
    const auto total = std::accumulate(record.steps.begin(), record.steps.end(), std::uint64_t{0});
    steps.push_back(double(total) / request.iterations);
    for (std::size_t path = 0; path < result.stepsOfPath.size(); ++path)
      result.stepsOfPath[path] += double(record.steps[path]);
  }
  for (double& mean : result.stepsOfPath)
    mean /= double(records.size()) * request.iterations;
  result.efficiency = summarize(result.efficiencies);
  result.steps = summarize(steps);
  return result;
}

} // namespace

Expected<void> validateSimulation(const SimulationRequest& request) {
  if (request.iterations < 1 || request.iterations > 100'000'000)
    return fail(ErrorKind::BadInput, "{} iterations: expected 1 to 100000000", request.iterations);
  if (request.warps < 1 || request.warps > 10'000'000)
    return fail(ErrorKind::BadInput, "{} warps: expected 1 to 10000000", request.warps);
  if (request.policy == Policy::Fixed && !request.word)
    return fail(ErrorKind::BadInput, "the fixed policy needs a word, such as --word ABB");
  if (request.policy != Policy::Fixed && request.word)
    return fail(ErrorKind::BadInput, "a word is for the fixed policy, not for {}",
                policyName(request.policy));
  return {};
}

std::uint64_t expectedWork(const SimulationRequest& request) {
  return std::uint64_t(request.warps) * std::uint64_t(request.iterations);
}

SimulationResult simulate(const SimulationRequest& request, Progress& progress) {
  assert(validateSimulation(request) && "the caller validates");
  const WarpRunner runner = runners[request.branching.ways() - 2];
  std::vector<WarpRecord> records(static_cast<std::size_t>(request.warps));
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, records.size()),
                    [&](const tbb::blocked_range<std::size_t>& range) {
                      for (std::size_t warp = range.begin(); warp != range.end(); ++warp) {
                        records[warp] = runner(request, static_cast<std::uint32_t>(warp));
                        progress.advance(std::uint64_t(request.iterations));
                      }
                    });
  return collect(request, records);
}

} // namespace heddle::model
