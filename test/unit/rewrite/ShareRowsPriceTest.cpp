// SPDX-License-Identifier: Apache-2.0
#include "rewrite/share_rows/Price.h"

#include <gtest/gtest.h>

namespace heddle::rewrite::share_rows {
namespace {

/// Rows of 2 items but for one of 32, which has `longest`.
profile::LoopCounts rowsWith(int longest) {
  profile::LoopCounts loop;
  loop.leave(2, 31000);
  loop.leave(std::uint64_t(longest), 1000);
  return loop;
}

double gainOf(const profile::LoopCounts& loop, int lanes, double body) {
  for (const PricedGroup& each : gainsOf(loop, body))
    if (each.lanes == lanes)
      return each.gain;
  return 0;
}

TEST(ShareRowsPrice, LongRowsAmongShortOnesWantManyLanes) {
  EXPECT_GT(gainOf(rowsWith(2000), 32, 20), 4);
}

TEST(ShareRowsPrice, ShortRowsOfOneLengthLose) {
  profile::LoopCounts loop;
  loop.leave(3, 32000);
  for (const PricedGroup& each : gainsOf(loop, 4))
    EXPECT_LT(each.gain, 1) << each.lanes;
}

TEST(ShareRowsPrice, LongRowsOfOneLengthNeitherGainNorLoseMuch) {
  profile::LoopCounts loop;
  loop.leave(1024, 32000);
  EXPECT_NEAR(gainOf(loop, 8, 20), 1, 0.05);
}

TEST(ShareRowsPrice, ShortRowsWantFewLanesSinceEachRowWaitsForItsLoads) {
  profile::LoopCounts loop;
  loop.leave(8, 16000);
  loop.leave(40, 16000);
  EXPECT_GT(gainOf(loop, 8, 4), 1.2 * gainOf(loop, 32, 4));
}

TEST(ShareRowsPrice, ALoopThatWasNotSeenHasThePriceOfAll) {
  profile::KernelProfile kernel;
  advise::PricedBranch branch;
  branch.line = 6;
  branch.lostShare = 0.9;
  branch.written = {20};
  EXPECT_EQ(priceSharing(kernel, branch).why, "all of the 90.0 % that the branch loses");
}

TEST(ShareRowsPrice, SaysTheLengthsOfTheRows) {
  profile::KernelProfile kernel;
  profile::LoopProfile loop;
  loop.site.where.line = 5;
  loop.leave(2, 31000);
  loop.leave(64, 1000);
  kernel.loops.push_back(loop);
  advise::PricedBranch branch;
  branch.line = 5;
  branch.lostShare = 0.8;
  branch.written = {20};
  const advise::Price price = priceSharing(kernel, branch);
  EXPECT_EQ(price.why.substr(0, 40), "rows of 2 to 64 items, 3.9 on average, s");
  EXPECT_GT(price.speedup, 1);
}

TEST(ShareRowsPrice, NoMoreLanesThanTheLongestRowHasItems) {
  EXPECT_EQ(sizesFor(1), (std::vector<int>{4}));
  EXPECT_EQ(sizesFor(9), (std::vector<int>{8, 4}));
  EXPECT_EQ(sizesFor(1500), (std::vector<int>{8, 32, 16, 4}));
}

} // namespace
} // namespace heddle::rewrite::share_rows
