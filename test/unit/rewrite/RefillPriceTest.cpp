// SPDX-License-Identifier: Apache-2.0
#include "rewrite/refill/Price.h"

#include <gtest/gtest.h>

namespace heddle::rewrite::refill {
namespace {

constexpr int line = 7;

/// Half of the lanes go around twice, half of them so often.
profile::KernelProfile kernelOf(std::uint64_t most) {
  profile::LoopProfile loop;
  loop.site.where.line = line;
  loop.leave(2, 16);
  loop.leave(most, 16);
  profile::KernelProfile kernel;
  kernel.loops.push_back(loop);
  return kernel;
}

advise::PricedBranch loopOf(double body, double lanesOfExecution, double lostShare) {
  advise::PricedBranch branch;
  branch.line = line;
  branch.written = {body, 4, 2};
  branch.lanesOfExecution = lanesOfExecution;
  branch.lostShare = lostShare;
  return branch;
}

TEST(RefillPrice, LongTurnsOfUnlikeLengthsGain) {
  const advise::Price price = priceRefilling(kernelOf(200), loopOf(150, 16.2, 0.49));
  EXPECT_GT(price.speedup, 1.1);
  EXPECT_LT(price.speedup, 2);
}

TEST(RefillPrice, ShortTurnsVoteSeldom) {
  const double speedup = priceRefilling(kernelOf(200), loopOf(10, 16.2, 0.49)).speedup;
  EXPECT_LT(speedup, priceRefilling(kernelOf(200), loopOf(150, 16.2, 0.49)).speedup);
  EXPECT_NE(priceRefilling(kernelOf(200), loopOf(10, 16.2, 0.49)).why.find("1.7 times as long"),
            std::string::npos);
}

TEST(RefillPrice, TurnsOfOneLengthLose) {
  EXPECT_LT(priceRefilling(kernelOf(2), loopOf(150, 32, 0)).speedup, 1);
}

} // namespace
} // namespace heddle::rewrite::refill
