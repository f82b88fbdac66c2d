// SPDX-License-Identifier: Apache-2.0
#include "model/DecisionStream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace heddle::model {
namespace {

TEST(DecisionStream, TakesEachPathAsOftenAsItShould) {
  const std::vector<double> probabilities = {0.18, 0.59, 0.02, 0.21};
  DecisionStream<4> stream(probabilities, 1, 0);
  constexpr int draws = 50'000;
  std::array<double, 4> counts{};
  for (int i = 0; i < draws; ++i) {
    const PathMasks<4> masks = stream.next();
    LaneMask all = 0;
    for (std::size_t path = 0; path < 4; ++path) {
      ASSERT_EQ(all & masks[path], 0u) << "a lane takes one path";
      all |= masks[path];
      counts[path] += countLanes(masks[path]);
    }
    ASSERT_EQ(all, allLanes) << "every lane takes a path";
  }
  const double decisions = double(draws) * warpSize;
  for (std::size_t path = 0; path < 4; ++path) {
    const double p = probabilities[path];
    const double sd = std::sqrt(p * (1 - p) / decisions);
    EXPECT_NEAR(counts[path] / decisions, p, 4 * sd) << path;
  }
}

TEST(DecisionStream, LanesAreIndependent) {
  DecisionStream<2> stream(std::vector{0.3, 0.7}, 5, 0);
  constexpr int draws = 100'000;
  std::array<int, warpSize> together{};
  for (int i = 0; i < draws; ++i) {
    const LaneMask mask = stream.next()[0];
    for (int distance = 1; distance < warpSize; ++distance)
      together[std::size_t(distance)] += (mask & mask >> distance & 1) != 0 ? 1 : 0;
  }
  const double sd = std::sqrt(0.09 * 0.91 / draws);
  for (int distance = 1; distance < warpSize; ++distance)
    EXPECT_NEAR(double(together[std::size_t(distance)]) / draws, 0.09, 4.5 * sd) << distance;
}

TEST(DecisionStream, CertainAndImpossiblePathsAreExact) {
  for (const double p : {0.0, 1.0}) {
    DecisionStream<2> stream(std::vector{p, 1 - p}, 1, 0);
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(stream.next()[0], p == 1.0 ? allLanes : 0u);
  }
}

TEST(DecisionStream, DependsOnSeedAndWarpAlone) {
  const std::vector<double> probabilities = {0.1, 0.9};
  DecisionStream<2> a(probabilities, 1, 3), same(probabilities, 1, 3);
  DecisionStream<2> otherWarp(probabilities, 1, 4), otherSeed(probabilities, 2, 3);
  int differs = 0;
  for (int i = 0; i < 100; ++i) {
    const LaneMask mask = a.next()[0];
    ASSERT_EQ(same.next()[0], mask);
    differs += otherWarp.next()[0] != mask ? 1 : 0;
    differs += otherSeed.next()[0] != mask ? 1 : 0;
  }
  EXPECT_GT(differs, 150);
}

} // namespace
} // namespace heddle::model
