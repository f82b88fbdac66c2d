// SPDX-License-Identifier: Apache-2.0
#include "profile/GivenBlocks.h"

#include <gtest/gtest.h>

namespace heddle::profile {
namespace {

TEST(GivenBlocks, WhatIsWrittenIsRead) {
  const GivenBlocks given = {{"_Z4stepPfi", 65536, {64, 1, 1}}, {"_Z4drawPt#2", 0, {16, 8, 1}}};
  EXPECT_EQ(writeGivenBlocks(given), "_Z4stepPfi@65536=64;_Z4drawPt#2@0=16x8");
  EXPECT_EQ(parseGivenBlocks(writeGivenBlocks(given)).value(), given);
  EXPECT_TRUE(parseGivenBlocks("").value().empty());
}

TEST(GivenBlocks, WhatIsNoneIsRefused) {
  EXPECT_EQ(parseGivenBlocks("step=64").error().message, "'step=64' is not KERNEL@SIZE=BLOCK");
  EXPECT_EQ(parseGivenBlocks("step@x=64").error().message,
            "'step@x=64': its size is no whole number");
  EXPECT_EQ(parseGivenBlocks("step@1=0").error().message, "'0' is no size such as 128 or 16x8");
  EXPECT_EQ(parseExtent("8x8x8x8").error().message, "'8x8x8x8' has 4 numbers: expected 1 to 3");
}

TEST(GivenBlocks, TheNearestSizeIsThatOfTheSmallestRatio) {
  const GivenBlocks given = {
      {"k", 100, {32, 1, 1}}, {"k", 10000, {512, 1, 1}}, {"other", 1000, {8, 8, 1}}};
  EXPECT_EQ(nearestBlock(given, "k", 900)->size, 100U) << "9 times, not 11";
  EXPECT_EQ(nearestBlock(given, "k", 1200)->size, 10000U);
  EXPECT_EQ(nearestBlock(given, "unknown", 1000), nullptr);
}

TEST(GivenBlocks, TheGridCoversAllThreads) {
  EXPECT_EQ(coveringGrid({10, 3, 1}, {256, 16, 1}, {96, 32, 1}), (Extent{27, 2, 1}));
  EXPECT_EQ(coveringGrid({10, 1, 1}, {256, 1, 1}, {64, 1, 1}), (Extent{40, 1, 1}));
}

} // namespace
} // namespace heddle::profile
