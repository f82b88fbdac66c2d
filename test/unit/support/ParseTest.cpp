// SPDX-License-Identifier: Apache-2.0
#include "support/Parse.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Parse, ReadsNumbersAsPeopleWriteThem) {
  EXPECT_EQ(*parseNumber(".1"), 0.1);
  EXPECT_EQ(*parseNumber("+2.5"), 2.5);
  EXPECT_EQ(*parseNumber("1e-3"), 0.001);
  EXPECT_EQ(*parseInteger("-12"), -12);
}

TEST(Parse, RefusesWhatIsNoNumberAndSaysSo) {
  EXPECT_EQ(parseNumber("abc").error().message, "'abc' is not a number");
  EXPECT_EQ(parseNumber("1x").error().message, "'1x' is not a number");
  EXPECT_EQ(parseNumber("").error().message, "'' is not a number");
  EXPECT_EQ(parseNumber("nan").error().message, "'nan' is not a finite number");
  EXPECT_EQ(parseNumber("-inf").error().message, "'-inf' is not a finite number");
  EXPECT_EQ(parseNumber("1e999").error().message, "'1e999' is out of the range of numbers");
  EXPECT_EQ(parseInteger("1.5").error().message, "'1.5' is not a whole number");
  EXPECT_EQ(parseInteger("99999999999999999999").error().message,
            "'99999999999999999999' is too large a number");
}

TEST(Parse, ReadsListsAndRefusesGaps) {
  EXPECT_EQ(*parseNumberList("1,.5,2"), (std::vector<double>{1, 0.5, 2}));
  EXPECT_FALSE(parseNumberList("1,,2"));
  EXPECT_FALSE(parseNumberList(""));
}

} // namespace
} // namespace heddle
