// SPDX-License-Identifier: Apache-2.0
#include "model/Splitting.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::model {
namespace {

TEST(Splitting, BoundOfCarrilloIsNineteenPointSevenPercent) {
  const SplitBound bound = *splitBound({{1, 1.0}, {1, 0.67}}, 0);
  EXPECT_NEAR(bound.speedup, 1.1976, 0.00005);
  EXPECT_EQ(bound.branchedTime, 2);
  EXPECT_NEAR(bound.splitTime, 1.67, 1e-12);
}

// The text's T = sum t_i rho_i equals the denominator here: with it, no split would ever gain.
TEST(Splitting, TheSlipInTheTextWouldGiveOne) {
  const SplitBound bound = *splitBound({{1, 1.0}, {1, 0.67}}, 0);
  const double slip = 1 * 1.0 + 1 * 0.67;
  EXPECT_NEAR(slip / bound.splitTime, 1.0, 1e-12);
}

TEST(Splitting, OverheadLowersTheBound) {
  EXPECT_NEAR(splitBound({{1, 1.0}, {1, 0.67}}, 0.33)->speedup, 1.0, 1e-12);
}

TEST(Splitting, MixedWarpsByElseShare) {
  EXPECT_NEAR(*mixedWarpShare(0.01), 0.275, 0.0005);
  EXPECT_NEAR(*mixedWarpShare(0.08), 0.931, 0.0005);
  EXPECT_NEAR(*mixedWarpShare(0.16), 0.996, 0.0005);
  EXPECT_EQ(*mixedWarpShare(0), 0);
  EXPECT_EQ(*mixedWarpShare(1), 0);
}

TEST(Splitting, RefusesTheImpossible) {
  EXPECT_EQ(splitBound({{1, 1}}, 0).error().message, "1 paths: splitting needs at least 2");
  EXPECT_EQ(splitBound({{1, 1}, {1, 1.2}}, 0).error().message,
            "occupancy 1.2: expected above 0, at most 1");
  EXPECT_EQ(splitBound({{1, 1}, {0, 1}}, 0).error().message,
            "path time 0: expected above 0, at most 1e+15");
  EXPECT_EQ(splitBound({{1, 1}, {1, 1}}, -1).error().message, "overhead -1: expected 0 to 1e+15");
  EXPECT_FALSE(mixedWarpShare(std::nan("")));
}

} // namespace
} // namespace heddle::model
