// SPDX-License-Identifier: Apache-2.0
#include "model/NativeLoop.h"

#include "support/LaneMask.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::model {
namespace {

TEST(NativeLoop, TwoWaysMatchTheClosedFormOfThePaper) {
  for (const double p : {0.0, 0.02, 0.1, 0.5, 0.9, 1.0}) {
    const double g = 2 - std::pow(p, 32) - std::pow(1 - p, 32);
    EXPECT_NEAR(nativeStepsPerIteration(*Branching::twoWay(p), warpSize), g, 1e-12) << p;
  }
}

TEST(NativeLoop, EfficiencyAtOneInTen) {
  EXPECT_NEAR(nativeEfficiency(*Branching::twoWay(0.1), warpSize), 0.509, 0.0005);
}

TEST(NativeLoop, TinyProbabilitiesKeepTheirDigits) {
  EXPECT_NEAR(pathRunShare(1e-17, warpSize), 32e-17, 1e-25);
  EXPECT_EQ(pathRunShare(0, warpSize), 0);
  EXPECT_EQ(pathRunShare(1, warpSize), 1);
}

TEST(NativeLoop, CostsWeighThePaths) {
  const Branching branching = *Branching::make({0.5, 0.5}, {1, 3});
  EXPECT_NEAR(nativePathTime(branching, warpSize), 4, 1e-6);
  EXPECT_NEAR(nativeEfficiency(branching, warpSize), 0.5, 1e-6);
}

} // namespace
} // namespace heddle::model
