// SPDX-License-Identifier: Apache-2.0
#include "rewrite/flatten/Price.h"

#include <gtest/gtest.h>

namespace heddle::rewrite::flatten {
namespace {

/// 1024 threads of which each runs 16 inner loops: `shorter` of them one trip long, the others
/// `longest`.
profile::KernelProfile kernelWith(int shorter, int longest) {
  profile::KernelProfile kernel;
  kernel.blocks = 8;
  kernel.block = {128, 1, 1};
  profile::LoopProfile loop;
  loop.site.where.line = 5;
  loop.leave(1, std::uint64_t(1024) * std::uint64_t(shorter));
  loop.leave(std::uint64_t(longest), std::uint64_t(1024) * std::uint64_t(16 - shorter));
  kernel.loops.push_back(loop);
  return kernel;
}

/// A warp takes the longest of its lanes each time.
advise::PricedBranch branchOf(const profile::KernelProfile& kernel, int longest) {
  advise::PricedBranch branch;
  branch.line = 5;
  branch.threads = 1024;
  branch.lostShare = 0.9;
  branch.written = {20, 1, 1};
  branch.lanesOfExecution = double(kernel.loops.front().iterations) / (1024.0 / 32 * 16 * longest);
  return branch;
}

TEST(FlattenPrice, TheLongestSumIsShorterThanTheSumOfTheLongest) {
  const profile::KernelProfile kernel = kernelWith(12, 33);
  const advise::Price price = priceFlattening(kernel, branchOf(kernel, 33));
  // 16 * 33 = 528 turns. A lane has 4 * 33 + 12 = 144 on average, and sqrt(16 * 192) * 2.07 = 115
  // more where it has most of 32; a turn of 20 operations takes 4 more, and 2 around the inner
  // loop.
  EXPECT_EQ(price.why, "528 turns of the inner loop become 259, 1.3 times as long");
  EXPECT_NEAR(price.speedup, (528 * 20 + 32) / (259 * 25.9), 0.05);
}

TEST(FlattenPrice, LoopsOfOneLengthGainNothing) {
  const profile::KernelProfile kernel = kernelWith(0, 33);
  const advise::Price price = priceFlattening(kernel, branchOf(kernel, 33));
  EXPECT_LT(price.speedup, 1);
}

TEST(FlattenPrice, OneInnerLoopALaneGainsNothing) {
  profile::KernelProfile kernel = kernelWith(0, 33);
  profile::LoopProfile& loop = kernel.loops.front();
  loop = {};
  loop.site.where.line = 5;
  loop.leave(1, 1024 * 3 / 4);
  loop.leave(33, 1024 / 4);
  advise::PricedBranch branch = branchOf(kernel, 33);
  branch.lanesOfExecution = double(loop.iterations) / (32.0 * 33);
  EXPECT_LT(priceFlattening(kernel, branch).speedup, 1);
}

TEST(FlattenPrice, ALoopThatWasNotSeenHasThePriceOfAll) {
  const profile::KernelProfile kernel = kernelWith(12, 33);
  advise::PricedBranch branch = branchOf(kernel, 33);
  branch.line = 6;
  EXPECT_EQ(priceFlattening(kernel, branch).why, "all of the 90.0 % that the branch loses");
}

} // namespace
} // namespace heddle::rewrite::flatten
