// SPDX-License-Identifier: Apache-2.0
#include "advise/Losses.h"

#include <gtest/gtest.h>

namespace heddle::advise {
namespace {

profile::BranchProfile lossAt(int line, std::uint64_t slots, double cycles, int targets = 2) {
  profile::BranchProfile branch;
  branch.site.where = {"a.cu", line, 3};
  branch.executions = 1;
  branch.targets = targets;
  branch.lostSlots = slots;
  branch.lostCycles = cycles;
  return branch;
}

profile::KernelProfile kernelWith(std::vector<profile::BranchProfile> branches) {
  profile::KernelProfile kernel;
  kernel.warpInstructions = 100; // 3200 slots
  kernel.branches = std::move(branches);
  return kernel;
}

TEST(Losses, BranchesOfOnePlaceAreOne) {
  const auto losses =
      lossesOf(kernelWith({lossAt(7, 320, 0), lossAt(9, 400, 0), lossAt(7, 320, 0, 5)}));
  ASSERT_EQ(losses.size(), 2u);
  EXPECT_EQ(losses[0].where.line, 7) << "the worst is first";
  EXPECT_EQ(losses[0].sum.lostSlots, 640u);
  EXPECT_EQ(losses[0].sum.executions, 2u);
  EXPECT_EQ(losses[0].sum.targets, 5);
  EXPECT_DOUBLE_EQ(losses[0].share, 0.2);
  EXPECT_DOUBLE_EQ(losses[1].share, 0.125);
}

TEST(Losses, CyclesCountWhereTheKernelWasTimed) {
  profile::KernelProfile kernel = kernelWith({lossAt(7, 1600, 100), lossAt(9, 16, 300)});
  EXPECT_EQ(lossesOf(kernel).front().where.line, 7);
  kernel.laneCycles = 1000;
  EXPECT_EQ(lossesOf(kernel).front().where.line, 9);
  EXPECT_DOUBLE_EQ(lossesOf(kernel).front().share, 0.3);
}

TEST(Losses, AKernelThatDidNothingLosesNothing) {
  EXPECT_TRUE(lossesOf({}).empty());
  profile::KernelProfile kernel = kernelWith({lossAt(7, 0, 0)});
  kernel.warpInstructions = 0;
  EXPECT_EQ(lossesOf(kernel).front().share, 0);
}

TEST(Losses, WhatIsBoundByBytesOrTheLaunchCannotBeWon) {
  profile::KernelProfile kernel;
  EXPECT_DOUBLE_EQ(mostSpeedup(kernel, 0.5), 2);
  kernel.timing.emplace();
  kernel.timing->seconds = 4;
  kernel.timing->secondsBy[std::size_t(profile::Bound::Issue)] = 1;
  kernel.timing->secondsBy[std::size_t(profile::Bound::Latency)] = 1;
  EXPECT_DOUBLE_EQ(mostSpeedup(kernel, 0.5), 1 / 0.75);
  EXPECT_DOUBLE_EQ(mostSpeedup(kernel, 0), 1);
}

TEST(Losses, NoSpeedupIsWithoutEnd) {
  EXPECT_DOUBLE_EQ(mostSpeedup({}, 1), 100);
  EXPECT_DOUBLE_EQ(mostSpeedup({}, 7), 100);
}

} // namespace
} // namespace heddle::advise
