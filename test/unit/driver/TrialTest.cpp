// SPDX-License-Identifier: Apache-2.0
#include "driver/Trial.h"

#include <gtest/gtest.h>

namespace heddle::driver {
namespace {

TEST(Trial, ARunThatASignalEndsDiffersAndHasNoRecordToRead) {
  Trial before, after;
  after.profile.ending = profile::Ending::Interrupted;
  after.profile.fault = "the program ended with signal 4 (Illegal instruction)";
  after.record = "/nonexistent/record";
  const auto compared = compareTrials(before, after, {});
  ASSERT_TRUE(compared) << compared.error().message;
  ASSERT_TRUE(compared->difference);
  EXPECT_EQ(compared->difference->text,
            "it stops: the program ended with signal 4 (Illegal instruction)");
}

TEST(Trial, ARunThatGoesFartherOutsideOfMemoryDiffers) {
  Trial before, after;
  before.profile.strays = {{.memory = "x", .bytes = 4, .reach = 4, .count = 2}};
  after.profile.strays = {{.memory = "x", .bytes = 4, .reach = 8, .count = 2}};
  const auto compared = compareTrials(before, after, {});
  ASSERT_TRUE(compared) << compared.error().message;
  ASSERT_TRUE(compared->difference);
  EXPECT_EQ(compared->difference->text,
            "it reads up to 2 elements of 4 bytes behind x, 2 times, which the program as it is "
            "does not do so far or so often");
}

TEST(Trial, SumsOfFloatsMayDifferByTheirLastDigitsAndByWhatIsAskedFor) {
  EXPECT_EQ(toleranceOf(false, 0).floats, 0);
  EXPECT_EQ(toleranceOf(false, 1e-3).doubles, 1e-3);
  EXPECT_EQ(toleranceOf(true, 0).floats, floatSums.floats);
  EXPECT_EQ(toleranceOf(true, 0).doubles, floatSums.doubles);
  EXPECT_EQ(toleranceOf(true, 1e-8).floats, floatSums.floats);
  EXPECT_EQ(toleranceOf(true, 1e-8).doubles, 1e-8);
}

} // namespace
} // namespace heddle::driver
