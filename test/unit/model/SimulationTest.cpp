// SPDX-License-Identifier: Apache-2.0
//
// The bit-parallel simulation against a plain one that keeps an integer per lane and writes each
// rule as it reads, decision by decision; and the mean efficiencies that are known for p = .10.
#include "model/Simulation.h"

#include "ModelFixture.h"
#include "model/DecisionStream.h"
#include "model/NativeLoop.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <ostream>
#include <string>

namespace heddle::model {

void PrintTo(Policy policy, std::ostream* out) { // for googletest
  *out << policyName(policy);
}

namespace {

SimulationRequest requestFor(Policy policy, double p, int iterations, int warps) {
  SimulationRequest request{.branching = *Branching::twoWay(p), .policy = policy};
  request.iterations = iterations;
  request.warps = warps;
  if (policy == Policy::Fixed)
    request.word = *Word::parse("ABBB", request.branching);
  return request;
}

/// One warp of `Ways` paths, lane by lane. Ties go to the first path.
template <int Ways> class PlainWarp {
public:
  explicit PlainWarp(const SimulationRequest& request)
      : request_(request), decisions_(request.branching.probabilities(), request.seed, 0) {}

  std::array<int, Ways> run() {
    redraw([](int) { return true; });
    std::array<int, Ways> steps{};
    while (std::ranges::any_of(done_, [&](int done) { return done < request_.iterations; })) {
      const int path = choose();
      ++steps[std::size_t(path)];
      std::array<bool, warpSize> ran{};
      for (int lane = 0; lane < warpSize; ++lane)
        if (wants(lane, path)) {
          ran[std::size_t(lane)] = true;
          ++done_[std::size_t(lane)];
        }
      redraw([&](int lane) { return ran[std::size_t(lane)]; });
    }
    return steps;
  }

private:
  bool wants(int lane, int path) const {
    return done_[std::size_t(lane)] < request_.iterations && next_[std::size_t(lane)] == path;
  }

  template <class Which> void redraw(Which which) {
    const PathMasks<Ways> masks = decisions_.next();
    for (int lane = 0; lane < warpSize; ++lane)
      for (int path = 0; path < Ways; ++path)
        if (which(lane) && (masks[std::size_t(path)] >> lane & 1) != 0)
          next_[std::size_t(lane)] = path;
  }

  int count(int path) const {
    int lanes = 0;
    for (int lane = 0; lane < warpSize; ++lane)
      lanes += wants(lane, path) ? 1 : 0;
    return lanes;
  }

  template <class Score> int best(Score score) const {
    int winner = 0;
    for (int path = 1; path < Ways; ++path)
      if (score(path) > score(winner))
        winner = path;
    return winner;
  }

  int chooseByWord(const std::string& word) {
    const std::size_t turn = turn_++ % word.size();
    for (std::size_t ahead = 0;; ++ahead) {
      const int path = word[(turn + ahead) % word.size()] - 'A';
      if (count(path) > 0 || !request_.skipEmpty)
        return path;
    }
  }

  int chooseLaggard() const {
    int least = request_.iterations;
    for (const int done : done_)
      least = std::min(least, done);
    return best([&](int path) {
      int behind = 0;
      for (int lane = 0; lane < warpSize; ++lane)
        behind += wants(lane, path) && done_[std::size_t(lane)] == least ? 1 : 0;
      return std::pair(behind, count(path));
    });
  }

  int chooseOldest(bool byCost) {
    for (int path = 0; path < Ways; ++path)
      age_[std::size_t(path)] += count(path) * (byCost ? 1 / request_.branching.cost(path) : 1);
    const int path = best([&](int candidate) { return age_[std::size_t(candidate)]; });
    age_[std::size_t(path)] = 0;
    return path;
  }

  int choose() {
    switch (request_.policy) {
    case Policy::Alternating:
      return chooseByWord(std::string("ABCDEFGH").substr(0, Ways));
    case Policy::Fixed:
      return chooseByWord(request_.word->text());
    case Policy::Frequency:
      return best([&](int path) { return count(path); });
    case Policy::Laggard:
      return chooseLaggard();
    case Policy::Aging:
      return chooseOldest(false);
    case Policy::CostAging:
      return chooseOldest(true);
    case Policy::Native:
      break;
    }
    return 0;
  }

  const SimulationRequest& request_;
  DecisionStream<Ways> decisions_;
  std::array<int, warpSize> next_{};
  std::array<int, warpSize> done_{};
  std::array<double, Ways> age_{};
  std::size_t turn_ = 0;
};

class EveryPolicy : public ::testing::TestWithParam<Policy> {};

TEST_P(EveryPolicy, AgreesWithThePlainSimulationForTwoWays) {
  for (const double p : {0.0, 0.03, 0.3, 0.5, 1.0})
    for (const int iterations : {1, 2, 7, 300})
      for (const std::uint64_t seed : {1u, 2u, 3u}) {
        SimulationRequest request = requestFor(GetParam(), p, iterations, 1);
        request.seed = seed;
        request.ties = Ties::First;
        const auto plain = PlainWarp<2>(request).run();
        const SimulationResult fast = simulate(request, quiet);
        EXPECT_NEAR(fast.stepsOfPath[0] * iterations, plain[0], 1e-6) << p << " " << iterations;
        EXPECT_NEAR(fast.stepsOfPath[1] * iterations, plain[1], 1e-6) << p << " " << iterations;
      }
}

TEST_P(EveryPolicy, AgreesWithThePlainSimulationForFourWays) {
  SimulationRequest request{.branching = *Branching::make({0.18, 0.59, 0.02, 0.21}, {1, 1, 5, 10}),
                            .policy = GetParam()};
  request.iterations = 200;
  request.warps = 1;
  request.ties = Ties::First;
  if (GetParam() == Policy::Fixed)
    request.word = *Word::parse("ABDBBC", request.branching);
  for (const bool skip : {true, false}) {
    request.skipEmpty = skip;
    const auto plain = PlainWarp<4>(request).run();
    const SimulationResult fast = simulate(request, quiet);
    for (std::size_t path = 0; path < 4; ++path)
      EXPECT_NEAR(fast.stepsOfPath[path] * 200, plain[path], 1e-6) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, EveryPolicy,
                         ::testing::Values(Policy::Alternating, Policy::Fixed, Policy::Frequency,
                                           Policy::Laggard, Policy::Aging, Policy::CostAging),
                         [](const auto& info) {
                           std::string name(policyName(info.param));
                           std::erase(name, '-');
                           return name;
                         });

double efficiencyOf(SimulationRequest request) {
  return simulate(request, quiet).efficiency.mean;
}

TEST(Simulation, KnownEfficienciesAtOneInTen) {
  const auto at = [](Policy policy) { return requestFor(policy, 0.1, 1000, 2000); };
  EXPECT_NEAR(efficiencyOf(at(Policy::Native)), 0.509, 0.001);
  EXPECT_NEAR(efficiencyOf(at(Policy::Alternating)), 0.554, 0.001);
  EXPECT_NEAR(efficiencyOf(at(Policy::Frequency)), 0.664, 0.001);
  EXPECT_NEAR(efficiencyOf(at(Policy::Laggard)), 0.704, 0.001);
  EXPECT_NEAR(efficiencyOf(at(Policy::Aging)), 0.725, 0.001);
  SimulationRequest noSkip = at(Policy::Alternating);
  noSkip.skipEmpty = false;
  EXPECT_NEAR(efficiencyOf(noSkip), 0.540, 0.001);
}

// Counted on an H200 with the kernel of the paper's figure D.1.
TEST(Simulation, StepsOfAgingAsCountedOnHardware) {
  EXPECT_NEAR(simulate(requestFor(Policy::Aging, 0.1, 1000, 2000), quiet).steps.mean, 1.378, 0.001);
}

TEST(Simulation, FrequencyFallsBelowNativeForSmallP) {
  const auto gain = [](double p) {
    return efficiencyOf(requestFor(Policy::Frequency, p, 1000, 1000)) -
           nativeEfficiency(*Branching::twoWay(p), warpSize);
  };
  EXPECT_LT(gain(0.01), 0);
  EXPECT_LT(gain(0.02), 0);
  EXPECT_GT(gain(0.03), 0);
  EXPECT_GT(gain(0.1), 0);
}

TEST(Simulation, TiesMatterToTheFrequencyPolicy) {
  SimulationRequest request = requestFor(Policy::Frequency, 0.1, 1000, 500);
  request.ties = Ties::First; // the rarer path
  const double rarer = efficiencyOf(request);
  request.ties = Ties::Last;
  const double commoner = efficiencyOf(request);
  EXPECT_NEAR(rarer, 0.672, 0.003);
  EXPECT_NEAR(commoner, 0.656, 0.003);
}

TEST(Simulation, NativeAgreesWithItsClosedForm) {
  for (const double p : {0.02, 0.1, 0.5}) {
    const SimulationResult result = simulate(requestFor(Policy::Native, p, 1000, 500), quiet);
    const double expected = nativeStepsPerIteration(*Branching::twoWay(p), warpSize);
    EXPECT_NEAR(result.steps.mean, expected, 5 * result.steps.standardError + 1e-9) << p;
  }
}

TEST(Simulation, CostAgingWinsWhenCostsAreUnequal) {
  SimulationRequest request{.branching = *Branching::make({0.18, 0.59, 0.02, 0.21}, {1, 1, 5, 10}),
                            .policy = Policy::CostAging};
  request.warps = 500;
  const double costAging = efficiencyOf(request);
  for (const Policy other :
       {Policy::Alternating, Policy::Frequency, Policy::Laggard, Policy::Aging}) {
    request.policy = other;
    EXPECT_GT(costAging, efficiencyOf(request)) << policyName(other);
  }
}

TEST(Simulation, DependsOnTheSeedAndNotOnTheThreads) {
  SimulationRequest request = requestFor(Policy::Frequency, 0.2, 200, 300);
  const auto withThreads = [&](std::size_t count) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, count);
    return simulate(request, quiet).efficiencies;
  };
  const auto one = withThreads(1);
  EXPECT_EQ(one, withThreads(2));
  EXPECT_EQ(one, withThreads(5));
  request.seed = 2;
  EXPECT_NE(one, withThreads(1));
}

TEST(Simulation, RefusesTheImpossible) {
  SimulationRequest request = requestFor(Policy::Aging, 0.1, 0, 1);
  EXPECT_FALSE(validateSimulation(request));
  request = requestFor(Policy::Aging, 0.1, 1, 0);
  EXPECT_FALSE(validateSimulation(request));
  request = requestFor(Policy::Fixed, 0.1, 1, 1);
  request.word.reset();
  EXPECT_EQ(validateSimulation(request).error().message,
            "the fixed policy needs a word, such as --word ABB");
}

} // namespace
} // namespace heddle::model
