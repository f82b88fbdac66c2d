// SPDX-License-Identifier: Apache-2.0
#include "advise/Prediction.h"

#include "advise/GainInterval.h"

#include <gtest/gtest.h>

namespace heddle::advise {
namespace {

Candidate predicted(const char* rewrite, double speedup,
                    const profile::KernelProfile& kernel = {}) {
  Candidate candidate{.rewrite = rewrite};
  predict(candidate, kernel, speedup);
  return candidate;
}

TEST(Prediction, HasTheIntervalOfItsRewrite) {
  const Candidate candidate = predicted("regroup", 2);
  EXPECT_EQ(candidate.predictedSpeedup, 2);
  EXPECT_EQ(candidate.low, 2 * gainInterval("regroup", false).low);
  EXPECT_EQ(candidate.high, 2 * gainInterval("regroup", false).high);
}

TEST(Prediction, KnowsWhetherTheKernelIsBusy) {
  profile::KernelProfile kernel;
  kernel.timing.emplace();
  kernel.timing->seconds = 1;
  kernel.timing->secondsBy[std::size_t(profile::Bound::Issue)] = 1;
  EXPECT_EQ(predicted("regroup", 1, kernel).low, gainInterval("regroup", true).low);
  kernel.timing->secondsBy[std::size_t(profile::Bound::Latency)] = 2;
  EXPECT_EQ(predicted("regroup", 1, kernel).low, gainInterval("regroup", false).low);
}

TEST(Prediction, PaysAtTheLowerEndOrIsTooClose) {
  const double enough = 1 / gainInterval("regroup", false).low;
  EXPECT_EQ(judge(predicted("regroup", 1.01)), Pays::No);
  EXPECT_EQ(judge(predicted("regroup", 1.03)), Pays::TooClose);
  EXPECT_EQ(judge(predicted("regroup", enough * 0.99)), Pays::TooClose);
  EXPECT_EQ(judge(predicted("regroup", enough * 1.01)), Pays::Yes);
  EXPECT_EQ(judge({}), Pays::No) << "nothing was predicted";
}

} // namespace
} // namespace heddle::advise
