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

} // namespace
} // namespace heddle::rewrite::compact
