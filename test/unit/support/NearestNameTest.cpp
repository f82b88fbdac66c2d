// SPDX-License-Identifier: Apache-2.0
#include "support/NearestName.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

const std::vector<std::string> known = {"gtx280", "gtx580", "h100", "h200"};

TEST(NearestName, PutsSwappedLettersFirst) {
  EXPECT_EQ(nearestNames("gtx208", known).front(), "gtx280");
  EXPECT_EQ(nearestNames("H20", known).front(), "h200");
}

TEST(NearestName, SaysNothingWhenNothingIsClose) {
  EXPECT_TRUE(nearestNames("voodoo", known).empty());
  EXPECT_EQ(didYouMean("voodoo", known), "");
}

TEST(NearestName, ReadsAsASentence) {
  EXPECT_EQ(didYouMean("h10", {"h100"}), "; did you mean h100?");
  EXPECT_EQ(didYouMean("h300", {"h100", "h200"}), "; did you mean h100 or h200?");
}

} // namespace
} // namespace heddle
