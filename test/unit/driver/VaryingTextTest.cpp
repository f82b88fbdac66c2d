// SPDX-License-Identifier: Apache-2.0
#include "driver/VaryingText.h"

#include <gtest/gtest.h>

namespace heddle::driver {
namespace {

TEST(VaryingText, WithoutRunsToLearnFromEveryDifferenceCounts) {
  const VaryingText varying;
  EXPECT_FALSE(varying.difference("a\nb\n", "a\nb\n"));
  EXPECT_EQ(varying.difference("a\nb\n", "a\nc\n"), "line 2 of its output was 'b' and is 'c'");
  EXPECT_EQ(varying.difference("a\n", "a\nc\n"), "line 2 of its output was '' and is 'c'");
}

TEST(VaryingText, AWordThatDiffersBetweenRunsIsSetAside) {
  VaryingText varying;
  varying.learn("sum 12\ntime:   9.81 ms, 40 items\n", "sum 12\ntime:  10.02 ms, 40 items\n");
  EXPECT_FALSE(varying.difference("sum 12\ntime:   9.81 ms, 40 items\n",
                                  "sum 12\ntime: 123.45 ms, 40 items\n"));
  EXPECT_EQ(varying.setAside(), std::vector<std::string>{"line 2 ('9.81')"});
}

TEST(VaryingText, TheOtherWordsOfItsLineAreNot) {
  VaryingText varying;
  varying.learn("time 1.0 ms, 40 items\n", "time 2.0 ms, 40 items\n");
  EXPECT_TRUE(varying.difference("time 1.0 ms, 40 items\n", "time 3.0 ms, 41 items\n"));
  EXPECT_TRUE(varying.difference("time 1.0 ms, 40 items\n", "time 3.0 ms\n"));
}

TEST(VaryingText, ALineOfOtherWordsIsSetAsideWhole) {
  VaryingText varying;
  varying.learn("Mon Nov 2\nsum 1\n", "Tuesday\nsum 1\n");
  EXPECT_FALSE(varying.difference("Mon Nov 2\nsum 1\n", "Wed\nsum 1\n"));
  EXPECT_TRUE(varying.difference("Mon Nov 2\nsum 1\n", "Wed\nsum 2\n"));
}

TEST(VaryingText, WhereOneRunHasMoreLinesAllBehindTheFirstDifferenceIsSetAside) {
  VaryingText varying;
  varying.learn("sum 1\nwaits\ndone\n", "sum 1\ndone\n");
  EXPECT_FALSE(varying.difference("sum 1\nwaits\ndone\n", "sum 1\nwaits\nwaits\ndone\n"));
  EXPECT_TRUE(varying.difference("sum 1\nwaits\ndone\n", "sum 2\nwaits\ndone\n"));
  EXPECT_EQ(varying.setAside(), std::vector<std::string>{"line 2 and all behind it ('waits')"});
}

TEST(VaryingText, ManyRunsSetMoreAside) {
  VaryingText varying;
  varying.learn("a 1 1\n", "a 2 1\n");
  EXPECT_TRUE(varying.difference("a 1 1\n", "a 1 2\n"));
  varying.learn("a 1 1\n", "a 1 3\n");
  EXPECT_FALSE(varying.difference("a 1 1\n", "a 7 2\n"));
}

TEST(VaryingText, FractionsMayDifferByTheTolerance) {
  const VaryingText varying;
  EXPECT_TRUE(varying.difference("sum 12.500001\n", "sum 12.500004\n"));
  EXPECT_FALSE(varying.difference("sum 12.500001\n", "sum 12.500004\n", 1e-6));
  EXPECT_TRUE(varying.difference("sum 12.500001\n", "sum 12.500014\n", 1e-6));
  EXPECT_FALSE(varying.difference("1.52e+03\n", "1.53e+03\n", 1e-6)); // the last digit
  EXPECT_TRUE(varying.difference("1.52e+03\n", "1.54e+03\n", 1e-6));
  EXPECT_TRUE(varying.difference("count 1200001\n", "count 1200002\n", 1e-3)); // no fraction
  EXPECT_TRUE(varying.difference("0.5s\n", "0.6s\n", 0.5));
}

} // namespace
} // namespace heddle::driver
