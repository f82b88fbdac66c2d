// SPDX-License-Identifier: Apache-2.0
//
// Speed of the scheduling models. Bars: the frequency policy takes at least 20 million warp-steps a
// second on one core; the data of figures C.1 to C.4 and F.1 takes less than 20 s on two cores.
#include "driver/PolicySweepCommand.h"
#include "model/BestWord.h"
#include "model/Simulation.h"

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

namespace heddle {
namespace {

Progress quiet;

/// Warp-steps a second of one policy on one core: p = .1, 1000 iterations.
void policyOnOneCore(benchmark::State& state) {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  model::SimulationRequest request{.branching = *model::Branching::twoWay(0.1),
                                   .policy = static_cast<model::Policy>(state.range(0))};
  if (request.policy == model::Policy::Fixed)
    request.word = *model::Word::parse("ABBB", request.branching);
  request.warps = 200;
  double steps = 0;
  for (auto iteration : state) {
    (void)iteration;
    const model::SimulationResult result = model::simulate(request, quiet);
    steps += result.steps.mean * request.iterations * request.warps;
  }
  state.counters["steps"] = benchmark::Counter(steps, benchmark::Counter::kIsRate);
  state.SetLabel(std::string(model::policyName(request.policy)));
}
BENCHMARK(policyOnOneCore)->DenseRange(0, 6)->Unit(benchmark::kMillisecond);

/// What 'heddle schedule simulate --all' computes, on all cores.
void figureData(benchmark::State& state) {
  for (auto iteration : state) {
    (void)iteration;
    const auto findings = driver::computePolicySweep({}, quiet);
    benchmark::DoNotOptimize(findings);
  }
}
BENCHMARK(figureData)->Unit(benchmark::kSecond)->Iterations(1)->UseRealTime();

/// One row of table B.1 by the exact chain: a million words.
void bestWord(benchmark::State& state) {
  for (auto iteration : state) {
    (void)iteration;
    const auto best = model::findBestWord({.p = 0.18}, model::Measure::Exact);
    benchmark::DoNotOptimize(best);
  }
}
BENCHMARK(bestWord)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace heddle

BENCHMARK_MAIN();
