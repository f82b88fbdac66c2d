// SPDX-License-Identifier: Apache-2.0
#include "machine/OccupancyAdvice.h"

#include <gtest/gtest.h>

namespace heddle::machine {
namespace {

const SmLimits g80 = *findSmLimits({1, 0});
const SmLimits hopper = *findSmLimits({9, 0});

double occupancyOf(const SmLimits& limits, int threads, int registers, int shared) {
  return computeOccupancy(limits, {.threads = threads, .registers = registers, .shared = shared})
      .occupancy;
}

TEST(OccupancyAdvice, NearestRegisterCountIsReallyTheNearest) {
  const OccupancyAdvice advice =
      adviseOccupancy(g80, {.threads = 192, .registers = 20, .shared = 68});
  ASSERT_TRUE(advice.fewerRegisters);
  EXPECT_EQ(advice.fewerRegisters->value, 13);
  EXPECT_EQ(advice.fewerRegisters->occupancy, 0.75);
  EXPECT_EQ(occupancyOf(g80, 192, 13, 68), 0.75);
  EXPECT_EQ(occupancyOf(g80, 192, 14, 68), 0.5);
}

TEST(OccupancyAdvice, WhatIsFreeKeepsOccupancyAndOneMoreDoesNot) {
  const OccupancyAdvice advice =
      adviseOccupancy(g80, {.threads = 192, .registers = 20, .shared = 68});
  EXPECT_EQ(occupancyOf(g80, 192, advice.registersForFree, 68), 0.5);
  EXPECT_LT(occupancyOf(g80, 192, advice.registersForFree + 1, 68), 0.5);
  EXPECT_EQ(occupancyOf(g80, 192, 20, advice.sharedForFree), 0.5);
  EXPECT_LT(occupancyOf(g80, 192, 20, advice.sharedForFree + 1), 0.5);
}

TEST(OccupancyAdvice, LessSharedStopsAtTheAllocationUnit) {
  const KernelResources kernel{.threads = 256, .registers = 32, .shared = 40'000};
  const OccupancyAdvice advice = adviseOccupancy(hopper, kernel);
  ASSERT_TRUE(advice.lessShared);
  const int value = advice.lessShared->value;
  EXPECT_GT(occupancyOf(hopper, 256, 32, value), occupancyOf(hopper, 256, 32, 40'000));
  EXPECT_EQ(occupancyOf(hopper, 256, 32, value + 1), occupancyOf(hopper, 256, 32, 40'000));
}

TEST(OccupancyAdvice, BlockSizesNearestOnBothSides) {
  const KernelResources kernel{.threads = 200, .registers = 40};
  const OccupancyAdvice advice = adviseOccupancy(hopper, kernel);
  EXPECT_EQ(advice.smallerBlock->value, 192);
  EXPECT_EQ(advice.largerBlock->value, 256);
  EXPECT_EQ(advice.bestOccupancy, 0.75);
  for (const int threads : advice.bestBlockSizes)
    EXPECT_EQ(occupancyOf(hopper, threads, 40, 0), 0.75) << threads;
}

TEST(OccupancyAdvice, FullOccupancyHasNothingToChange) {
  const OccupancyAdvice advice = adviseOccupancy(hopper, {.threads = 256, .registers = 32});
  EXPECT_FALSE(advice.fewerRegisters);
  EXPECT_FALSE(advice.smallerBlock);
  EXPECT_FALSE(advice.largerBlock);
  EXPECT_FALSE(advice.lessShared);
  EXPECT_EQ(advice.registersForFree, 32);
}

TEST(OccupancyCurve, PassesThroughTheKernelItself) {
  const KernelResources kernel{.threads = 192, .registers = 20, .shared = 512};
  const int present = computeOccupancy(g80, kernel).activeWarps;
  const auto at = [&](CurveAxis axis, int value) {
    for (const CurvePoint& point : occupancyCurve(g80, kernel, axis))
      if (point.value == value)
        return point.activeWarps;
    return -1;
  };
  EXPECT_EQ(at(CurveAxis::Threads, 192), present);
  EXPECT_EQ(at(CurveAxis::Registers, 20), present);
  EXPECT_EQ(at(CurveAxis::Shared, 512), present);
}

} // namespace
} // namespace heddle::machine
