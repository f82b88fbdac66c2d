// SPDX-License-Identifier: Apache-2.0
#include "model/Word.h"

#include "ModelFixture.h"

#include <gtest/gtest.h>

namespace heddle::model {
namespace {

TEST(Word, FallsIntoSegmentsFromAnyRotation) {
  const std::vector<Segment> expected = {{2, 1}, {1, 3}};
  EXPECT_EQ(Word::parse("AABABBB", half)->segments(), expected);
  EXPECT_EQ(Word::fromSegments(expected).text(), "AABABBB");
  const std::vector<Segment> rotated = {{1, 3}, {2, 1}};
  EXPECT_EQ(Word::parse("BBABBBAA", half)->segments().size(), 2u);
  EXPECT_EQ(Word::parse("BABBBAA", half)->segments(), rotated);
}

TEST(Word, SameScheduleUpToRotationAndRepetition) {
  const auto same = [](const char* a, const char* b) {
    return Word::parse(a, half)->sameSchedule(*Word::parse(b, half));
  };
  EXPECT_TRUE(same("ABB", "BAB"));
  EXPECT_TRUE(same("AB", "ABAB"));
  EXPECT_TRUE(same("ABBBABBBABB", "ABBBABBABBB"));
  EXPECT_FALSE(same("ABB", "AAB"));
  EXPECT_FALSE(same("ABAB", "ABB"));
}

TEST(Word, RefusesLettersThatAreNoPath) {
  EXPECT_EQ(Word::parse("ABC", half).error().message,
            "'C' in the word 'ABC' is no path; the paths are A to B");
  EXPECT_FALSE(Word::parse("ab", half));
  EXPECT_FALSE(Word::parse("", half));
  EXPECT_TRUE(Word::parse("ABC", *Branching::make({0.2, 0.3, 0.5}, {})));
}

TEST(Word, RefusesToStarveAPath) {
  EXPECT_EQ(Word::parse("AAA", half).error().message,
            "the word 'AAA' never runs path B, so the loop would not end");
  EXPECT_TRUE(Word::parse("A", *Branching::twoWay(1)));
}

} // namespace
} // namespace heddle::model
