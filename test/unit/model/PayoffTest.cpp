// SPDX-License-Identifier: Apache-2.0
#include "model/Payoff.h"

#include "ModelFixture.h"
#include "model/NativeLoop.h"
#include "support/LaneMask.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::model {
namespace {

PayoffRequest requestFor(double p, double path, double loop, double turn) {
  PayoffRequest request{.branching = *Branching::make({p, 1 - p}, {path, path}), .loopTime = loop};
  request.turnTime = turn;
  request.warps = 300;
  return request;
}

const PolicyPayoff& find(const Payoff& payoff, Policy policy) {
  return *std::ranges::find(payoff.policies, policy, &PolicyPayoff::policy);
}

TEST(Payoff, NativeTimeIsTheClosedForm) {
  const Payoff payoff = *computePayoff(requestFor(0.16, 2.5, 0.12, 0.08), quiet);
  const double g = nativeStepsPerIteration(*Branching::twoWay(0.16), warpSize);
  EXPECT_NEAR(payoff.nativeTime, 0.12 + 2.5 * g, 1e-12);
  EXPECT_NEAR(payoff.ratio, 2.5 / 0.12, 1e-12);
}

TEST(Payoff, ScheduledTimeAddsUp) {
  const Payoff payoff = *computePayoff(requestFor(0.16, 2.5, 0.12, 0.08), quiet);
  for (const PolicyPayoff& item : payoff.policies) {
    const double expected = item.stepsPerIteration * (2.5 + 0.12 + 0.08);
    EXPECT_NEAR(item.time, expected, 1e-9) << policyName(item.policy);
    EXPECT_NEAR(item.speedup, payoff.nativeTime / item.time, 1e-12);
  }
}

TEST(Payoff, ThresholdAgreesWithTheClosedFormForEqualPaths) {
  const Payoff payoff = *computePayoff(requestFor(0.1, 1.0, 0.2, 0.1), quiet);
  const PolicyPayoff& aging = find(payoff, Policy::Aging);
  const auto closed = payoffThreshold(aging.stepsPerIteration, payoff.nativeSteps, 0.1 / 0.2);
  ASSERT_TRUE(closed && aging.threshold);
  EXPECT_NEAR(*aging.threshold, *closed, 1e-9);
}

TEST(Payoff, AtTheThresholdBothTimesAreEqual) {
  const Payoff first = *computePayoff(requestFor(0.1, 1.0, 0.2, 0.1), quiet);
  const double ratio = *find(first, Policy::Aging).threshold;
  const Payoff second = *computePayoff(requestFor(0.1, ratio * 0.2, 0.2, 0.1), quiet);
  EXPECT_NEAR(find(second, Policy::Aging).speedup, 1.0, 1e-9);
  EXPECT_FALSE(find(second, Policy::Aging).pays);
}

TEST(Payoff, ShortPathsNeverPay) {
  const Payoff payoff = *computePayoff(requestFor(0.16, 0.1, 0.12, 0.08), quiet);
  EXPECT_EQ(payoff.best(), nullptr);
  for (const PolicyPayoff& item : payoff.policies)
    EXPECT_LT(item.speedup, 1) << policyName(item.policy);
}

TEST(Payoff, FrequencyNeverPaysWhereItTakesMoreStepsThanNative) {
  EXPECT_FALSE(payoffThreshold(1.5, 1.5, 0.1));
  const Payoff payoff = *computePayoff(requestFor(0.01, 100, 1, 0), quiet);
  EXPECT_FALSE(find(payoff, Policy::Frequency).threshold);
  EXPECT_FALSE(find(payoff, Policy::Frequency).pays);
  EXPECT_TRUE(find(payoff, Policy::Aging).pays);
}

TEST(Payoff, PoliciesHaveTurnTimesOfTheirOwn) {
  PayoffRequest request = requestFor(0.16, 2.5, 0.12, 0.08);
  request.turnTimes[Policy::Laggard] = 0.5;
  const Payoff payoff = *computePayoff(request, quiet);
  EXPECT_EQ(find(payoff, Policy::Laggard).turnTime, 0.5);
  EXPECT_EQ(find(payoff, Policy::Aging).turnTime, 0.08);
}

TEST(Payoff, RefusesTheImpossible) {
  EXPECT_FALSE(computePayoff(requestFor(0.1, 1, 0, 0), quiet));
  EXPECT_FALSE(computePayoff(requestFor(0.1, 1, 1, -1), quiet));
  PayoffRequest request = requestFor(0.1, 1, 1, 0);
  request.iterations = 0;
  EXPECT_FALSE(computePayoff(request, quiet));
}

} // namespace
} // namespace heddle::model
