// SPDX-License-Identifier: Apache-2.0
#include "advise/GainInterval.h"

#include <gtest/gtest.h>

namespace heddle::advise {
namespace {

TEST(GainInterval, HoldsThePredictionAndKnowsRewritesApart) {
  for (const char* rewrite : {"schedule-iterations", "regroup", "launch-bounds", "flatten", "any"})
    for (const bool isBusy : {false, true}) {
      const GainInterval interval = gainInterval(rewrite, isBusy);
      EXPECT_LT(interval.low, 1) << rewrite;
      EXPECT_GT(interval.low, 0.3) << rewrite;
      EXPECT_GT(interval.high, 1) << rewrite;
    }
  EXPECT_GT(gainInterval("launch-bounds", false).low, gainInterval("regroup", false).low);
  EXPECT_EQ(gainInterval("flatten", false).low, gainInterval("none of ours", false).low);
}

/// Waiting is what models know least of.
TEST(GainInterval, IsNarrowerForBusyKernels) {
  const GainInterval busy = gainInterval("regroup", true), waiting = gainInterval("regroup", false);
  EXPECT_GT(busy.low, waiting.low);
  EXPECT_LT(busy.high, waiting.high);
}

} // namespace
} // namespace heddle::advise
