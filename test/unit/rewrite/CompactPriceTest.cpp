// SPDX-License-Identifier: Apache-2.0
#include "rewrite/compact/Price.h"

#include <gtest/gtest.h>

namespace heddle::rewrite::compact {
namespace {

/// Of its lanes `share` have work of so many instructions.
advise::PricedBranch guardOf(double share, double work, double lostShare) {
  advise::PricedBranch branch;
  branch.shares = {share, 1 - share};
  branch.lengths = {work, 1};
  branch.rest = 10;
  branch.lostShare = lostShare;
  return branch;
}

TEST(CompactPrice, LongWorkOfFewLanesGains) {
  const advise::Price price = priceCompaction({}, guardOf(0.1, 300, 0.8));
  // Of 32 lanes one has work in 96.6 of 100 warps: 10 + 0.966 * 300 + 1 = 301 instructions. A fifth
  // is left, and 14 + 0.1 * 20 for the list.
  EXPECT_NEAR(price.speedup, 301 / (301 * 0.2 + 16), 0.02);
  EXPECT_EQ(price.why, "of the 80.0 % that the guard loses; 16 instructions to list work for 301");
}

TEST(CompactPrice, ShortWorkLoses) {
  EXPECT_LT(priceCompaction({}, guardOf(0.1, 8, 0.35)).speedup, 1);
}

TEST(CompactPrice, AGuardThatIsTheSameForAWarpLoses) {
  EXPECT_LT(priceCompaction({}, guardOf(0.1, 300, 0)).speedup, 1);
}

TEST(CompactPrice, TilesLeaveBlocksForAllMultiprocessors) {
  Measured measured;
  using Tiles = std::vector<int>;
  EXPECT_EQ(tilesWorthTrying(measured, 0), (Tiles{4, 16})); // nothing is known
  measured.multiprocessors = 132;
  measured.blocks = 132 * 8 * 16;
  EXPECT_EQ(tilesWorthTrying(measured, 0), (Tiles{4, 16}));
  measured.blocks = 132 * 8 * 8;
  EXPECT_EQ(tilesWorthTrying(measured, 0), (Tiles{4, 8}));
  measured.blocks = 132 * 2 * 4;
  EXPECT_EQ(tilesWorthTrying(measured, 0), Tiles{4});
  measured.blocks = 132 * 2 * 4 - 1;
  EXPECT_EQ(tilesWorthTrying(measured, 0), Tiles{});
}

TEST(CompactPrice, TilesOfALoopAreItsTurns) {
  Measured measured;
  measured.multiprocessors = 132;
  measured.blocks = 10;
  using Tiles = std::vector<int>;
  EXPECT_EQ(tilesWorthTrying(measured, 2), Tiles{});
  EXPECT_EQ(tilesWorthTrying(measured, 3), Tiles{4});
  EXPECT_EQ(tilesWorthTrying(measured, 7), (Tiles{4, 8}));
  EXPECT_EQ(tilesWorthTrying(measured, 100), (Tiles{4, 16}));
}

} // namespace
} // namespace heddle::rewrite::compact
