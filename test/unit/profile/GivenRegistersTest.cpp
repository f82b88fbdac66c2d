// SPDX-License-Identifier: Apache-2.0
#include "profile/GivenRegisters.h"

#include <gtest/gtest.h>

namespace heddle::profile {
namespace {

TEST(GivenRegisters, InstancesOfATemplateHaveCommasToo) {
  const GivenRegisters given = {{"scale<float, 4>", 40}, {"scale<int, 8>", 32}};
  EXPECT_EQ(parseGivenRegisters(writeGivenRegisters(given)).value(), given);
  EXPECT_FALSE(parseGivenRegisters("scale<float, 4>=40,").has_value());
}

TEST(GivenRegisters, ReadWhatTheyWrite) {
  const GivenRegisters given = {{"init", 6}, {"transport", 255}};
  EXPECT_EQ(writeGivenRegisters(given), "init=6,transport=255");
  EXPECT_EQ(parseGivenRegisters(writeGivenRegisters(given)).value(), given);
  EXPECT_TRUE(parseGivenRegisters("").value().empty());
}

TEST(GivenRegisters, RefuseWhatIsNoCount) {
  for (const char* text : {"k", "=5", "k=", "k=x", "k=0", "k=256", "k=4,k=5", "k=4,"})
    EXPECT_FALSE(parseGivenRegisters(text)) << text;
  EXPECT_EQ(parseGivenRegisters("k=256").error().message,
            "'k=256': found '256' registers, expected 1 to 255");
}

} // namespace
} // namespace heddle::profile
