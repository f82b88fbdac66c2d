// SPDX-License-Identifier: Apache-2.0
#include "model/BestWord.h"

#include "ModelFixture.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::model {
namespace {

Word word(const char* text) {
  return *Word::parse(text, half);
}

TEST(BestWord, ReproducesAllTenRowsOfTableB1) {
  ASSERT_EQ(publishedWords().size(), 10u);
  for (const PublishedWord& row : publishedWords()) {
    SCOPED_TRACE(row.p);
    const BestWord best = *findBestWord({.p = row.p}, Measure::Approximate);
    EXPECT_TRUE(best.word.sameSchedule(word(row.word))) << best.word.text();
    EXPECT_NEAR(best.approximateSteps, row.steps, 0.005 + 1e-9);
    EXPECT_NEAR(1 / best.approximateSteps, row.efficiency, 0.005 + 1e-9);
  }
}

TEST(BestWord, ExactOptimumDiffersAtTwoRowsOnly) {
  for (const PublishedWord& row : publishedWords()) {
    SCOPED_TRACE(row.p);
    const BestWord exact = *findBestWord({.p = row.p}, Measure::Exact);
    const char* expected = row.p == 0.18 ? "ABBABBB" : row.p == 0.3 ? "ABB" : row.word;
    EXPECT_TRUE(exact.word.sameSchedule(word(expected))) << exact.word.text();
  }
}

TEST(BestWord, MirrorsWhenThePathsSwap) {
  const BestWord low = *findBestWord({.p = 0.12}, Measure::Exact);
  const BestWord high = *findBestWord({.p = 0.88}, Measure::Exact);
  EXPECT_NEAR(low.exactSteps, high.exactSteps, 1e-9);
  EXPECT_TRUE(high.word.sameSchedule(word("AAAB"))) << high.word.text();
}

TEST(BestWord, RefusesTheImpossible) {
  EXPECT_FALSE(findBestWord({.p = 0}, Measure::Exact));
  EXPECT_FALSE(findBestWord({.p = 1}, Measure::Exact));
  EXPECT_FALSE(findBestWord({.p = std::nan("")}, Measure::Exact));
  EXPECT_FALSE(findBestWord({.p = 0.5, .segments = 0}, Measure::Exact));
  EXPECT_NE(findBestWord({.p = 0.5, .segments = 6, .longestRun = 50}, Measure::Exact)
                .error()
                .message.find("lower one of the two"),
            std::string::npos);
}

} // namespace
} // namespace heddle::model
