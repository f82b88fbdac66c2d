// SPDX-License-Identifier: Apache-2.0
#include "model/FixedSchedule.h"

#include "ModelFixture.h"
#include "model/BestWord.h"

#include <gtest/gtest.h>

#include <random>

namespace heddle::model {
namespace {

/// One lane walking the word, step by step.
double walk(const std::string& word, double p, int iterations) {
  std::mt19937_64 random(7);
  std::bernoulli_distribution takesA(p);
  std::size_t place = 0;
  long steps = 0;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const char wanted = takesA(random) ? 'A' : 'B';
    for (;; place = (place + 1) % word.size()) {
      ++steps;
      if (word[place] == wanted)
        break;
    }
    place = (place + 1) % word.size();
  }
  return double(steps) / iterations;
}

TEST(FixedSchedule, AlternatingHasAHandComputedMean) {
  // Under AB a lane waits one step when it repeats its path: 1 + p^2 + q^2.
  const std::vector<Segment> alternating = {{1, 1}};
  for (const double p : {0.1, 0.3, 0.5}) {
    const double expected = 1 + p * p + (1 - p) * (1 - p);
    EXPECT_NEAR(exactSteps(alternating, p), expected, 1e-12) << p;
    EXPECT_NEAR(approximateSteps(alternating, p), expected, 1e-12) << p;
  }
}

TEST(FixedSchedule, ExactChainAgreesWithAWalk) {
  for (const char* text : {"ABB", "ABBBABBABB", "AABABBB", "AAAB", "ABBABBAB"})
    for (const double p : {0.05, 0.3, 0.7}) {
      const auto segments = Word::parse(text, half)->segments();
      EXPECT_NEAR(exactSteps(segments, p), walk(text, p, 2'000'000), 0.004) << text << " " << p;
    }
}

TEST(FixedSchedule, RotationsHaveTheSameMean) {
  const double expected = exactSteps({{1, 3}, {2, 1}, {1, 2}}, 0.2);
  EXPECT_NEAR(exactSteps({{2, 1}, {1, 2}, {1, 3}}, 0.2), expected, 1e-12);
}

TEST(FixedSchedule, EquationOneIsPessimisticByUpToOnePointEightPercent) {
  double most = 0;
  for (const PublishedWord& row : publishedWords()) {
    const auto segments = Word::parse(row.word, half)->segments();
    const double approximate = approximateSteps(segments, row.p);
    const double error = (approximate - exactSteps(segments, row.p)) / approximate;
    EXPECT_GE(error, -1e-12) << row.word;
    most = std::max(most, error);
  }
  EXPECT_NEAR(most, 0.018, 0.0005);
}

} // namespace
} // namespace heddle::model
