// SPDX-License-Identifier: Apache-2.0
#include "advise/Prices.h"

#include "advise/Losses.h"

#include <gtest/gtest.h>

namespace heddle::advise {
namespace {

/// 8 blocks of 128 threads. Each of the 32 warps comes to the branch 10 times with all its lanes;
/// three of four lanes go to its first side.
profile::KernelProfile kernelOf(std::uint64_t warpInstructions) {
  profile::KernelProfile kernel;
  kernel.blocks = 8;
  kernel.block = {64, 2, 1};
  kernel.warpInstructions = warpInstructions;
  return kernel;
}

profile::BranchProfile branchOf() {
  profile::BranchProfile branch;
  branch.site.where.line = 7;
  branch.executions = 320;
  branch.lanes = {320 * 24, 320 * 8};
  branch.pathRuns = {300, 100};
  branch.pathInstructions = {300 * 40, 100 * 90};
  return branch;
}

TEST(Prices, TwoWaysAreAsTheyWereCounted) {
  const PricedBranch priced = describeBranch(kernelOf(320 * 200), branchOf(), {1, 1}, 0.3);
  EXPECT_EQ(priced.shares, (std::vector{0.75, 0.25}));
  EXPECT_EQ(priced.lengths, (std::vector{40.0, 90.0}));
  EXPECT_EQ(priced.longest(), 90);
  EXPECT_EQ(priced.line, 7);
  EXPECT_EQ(priced.lostShare, 0.3);
  EXPECT_EQ(priced.threads, 1024);
  EXPECT_EQ(priced.turns, 10) << "of a lane";
  EXPECT_EQ(priced.lanesOfExecution, 32);
  EXPECT_EQ(priced.written, (std::vector{1.0, 1.0}));
  // Nearly every warp of 32 has lanes on both sides, so a turn of 200 has 130 on its ways.
  EXPECT_NEAR(priced.rest, 70, 0.1);
}

TEST(Prices, ASideThatNeverRanAloneHasNoLength) {
  profile::BranchProfile branch = branchOf();
  branch.pathRuns[1] = branch.pathInstructions[1] = 0;
  EXPECT_EQ(describeBranch(kernelOf(64000), branch, {}, 0).lengths, (std::vector{40.0, 1.0}));
}

TEST(Prices, ATurnHasSomethingBesidesItsWays) {
  EXPECT_EQ(describeBranch(kernelOf(320), branchOf(), {}, 0).rest, 1);
}

TEST(Prices, MoreWaysShareTheLossByTheLengthsInTheSource) {
  profile::BranchProfile branch = branchOf();
  // Of four ways each lane waits for three: 240 instructions a turn on all of them.
  branch.lostSlots = std::uint64_t(320) * 32 * 180;
  const PricedBranch priced = describeBranch(kernelOf(320 * 300), branch, {3, 1, 1, 1}, 0.5);
  EXPECT_EQ(priced.shares, (std::vector{0.25, 0.25, 0.25, 0.25}));
  EXPECT_EQ(priced.lengths, (std::vector{120.0, 40.0, 40.0, 40.0}));
  EXPECT_NEAR(priced.rest, 60, 0.1);
}

TEST(Prices, AStripIsOneWay) {
  const PricedBranch priced = describeBranch(kernelOf(64000), branchOf(), {55}, 0.5);
  EXPECT_EQ(priced.shares, std::vector{1.0});
  EXPECT_EQ(priced.lengths, std::vector{55.0});
  EXPECT_EQ(priced.rest, 0);
}

TEST(Prices, ABranchThatNeverRanIsNoDivisionByZero) {
  const PricedBranch priced = describeBranch({}, {}, {1, 1}, 0);
  EXPECT_EQ(priced.turns, 0);
  EXPECT_EQ(priced.shares, (std::vector{0.0, 1.0}));
  EXPECT_EQ(priced.rest, 1);
}

TEST(Prices, WithoutAModelAllThatIsLostCanBeWon) {
  PricedBranch branch;
  branch.lostShare = 0.6;
  const Price price = priceOfAll({}, branch);
  EXPECT_DOUBLE_EQ(price.speedup, mostSpeedup({}, 0.6));
  EXPECT_DOUBLE_EQ(price.speedup, 2.5);
  EXPECT_EQ(price.why, "all of the 60.0 % that the branch loses");
}

} // namespace
} // namespace heddle::advise
