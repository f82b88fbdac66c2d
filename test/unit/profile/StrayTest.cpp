// SPDX-License-Identifier: Apache-2.0
#include "profile/Stray.h"

#include "profile/ProfileJson.h"
#include "profile/ProgramProfile.h"

#include <gtest/gtest.h>

namespace heddle::profile {
namespace {

Stray strayOf(const std::string& memory, std::uint64_t reach, std::uint64_t count, int line = 3) {
  return {.kernel = "k",
          .where = {"a.cu", line, 5},
          .memory = memory,
          .bytes = 4,
          .reach = reach,
          .count = count};
}

TEST(Stray, SaysHowFar) {
  EXPECT_EQ(strayText(strayOf("x", 4, 1)), "reads 1 element of 4 bytes behind x, once");
  EXPECT_EQ(strayText(strayOf("x", 9, 8)), "reads up to 3 elements of 4 bytes behind x, 8 times");
}

TEST(Stray, SumsWhatOneLineDoes) {
  std::vector<Stray> all = {strayOf("x", 4, 1)};
  addStrays(all, {strayOf("x", 8, 2), strayOf("x", 4, 1, 9), strayOf("y", 4, 1)});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].count, 3U);
  EXPECT_EQ(all[0].reach, 8U);
}

TEST(Stray, ARewrittenProgramMayDoAsMuchAndNoMore) {
  const std::vector<Stray> before = {strayOf("x", 8, 10)};
  EXPECT_FALSE(strayBeyond(before, {}));
  EXPECT_FALSE(strayBeyond(before, before));
  EXPECT_FALSE(strayBeyond(before, {strayOf("x", 8, 5, 4), strayOf("x", 4, 5, 5)}));
  EXPECT_TRUE(strayBeyond(before, {strayOf("x", 8, 11)})) << "more often";
  EXPECT_TRUE(strayBeyond(before, {strayOf("x", 12, 1)})) << "farther";
  EXPECT_TRUE(strayBeyond(before, {strayOf("x", 8, 6), strayOf("x", 8, 5, 4)})) << "in all";
  EXPECT_EQ(strayBeyond(before, {strayOf("y", 4, 1)}),
            "it reads 1 element of 4 bytes behind y, once, which the program as it is does not do");
  EXPECT_TRUE(strayBeyond({}, before));
}

TEST(Stray, IsPartOfTheProfile) {
  ProgramProfile profile;
  profile.reconvergence = "volta";
  profile.strays = {strayOf("x", 4, 2)};
  profile.faultMayPass = true;
  const auto read = readProfile(writeProfile(profile), "the test's profile");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->faultMayPass);
  ASSERT_EQ(read->strays.size(), 1U);
  EXPECT_EQ(strayText(read->strays.front()), strayText(profile.strays.front()));
}

} // namespace
} // namespace heddle::profile
