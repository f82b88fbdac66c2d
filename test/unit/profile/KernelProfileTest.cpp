// SPDX-License-Identifier: Apache-2.0
#include "profile/KernelProfile.h"

#include <gtest/gtest.h>

namespace heddle::profile {
namespace {

Site lineOf(int number) {
  Site site;
  site.where = {"a.cu", number, 0};
  site.function = "step";
  return site;
}

LineProfile executed(int number, const LineCounts& counts) {
  LineProfile line;
  static_cast<LineCounts&>(line) = counts;
  line.site = lineOf(number);
  return line;
}

/// 320 slots: 200 used, of which 30 are switched off, 20 of those for the one branch; 70 lost to
/// it and 50 inside sequences.
KernelProfile predicated() {
  KernelProfile kernel;
  kernel.launches = 1;
  kernel.warpInstructions = 10;
  kernel.threadInstructions = 200;
  kernel.lostToSequences = 50;
  kernel.switchedOff = 30;
  BranchProfile branch;
  branch.lostSlots = 70;
  branch.switchedOff = 20;
  branch.site = lineOf(3);
  kernel.branches = {branch};
  kernel.lines = {executed(3, {6, 120, 25}), executed(7, {4, 80, 5})};
  return kernel;
}

/// The same without a run of machine code.
KernelProfile unknown() {
  KernelProfile kernel = predicated();
  kernel.switchedOff.reset();
  kernel.lines.clear();
  kernel.branches[0].switchedOff = 0;
  return kernel;
}

TEST(KernelProfile, SequencesOwnLostSlots) {
  KernelProfile kernel = predicated();
  EXPECT_TRUE(kernel.addsUp());
  EXPECT_EQ(kernel.lost(), 120u);
  kernel.lostToSequences = 49;
  EXPECT_FALSE(kernel.addsUp());
}

TEST(KernelProfile, SwitchedOffLanesAreUsedOnes) {
  KernelProfile kernel = predicated();
  kernel.lines.clear(); // by line it need not be known
  EXPECT_TRUE(kernel.addsUp());
  kernel.switchedOff = 201;
  EXPECT_FALSE(kernel.addsUp());
}

TEST(KernelProfile, LinesAddUpToTheKernel) {
  KernelProfile kernel = predicated();
  kernel.lines[1].used = 81;
  EXPECT_FALSE(kernel.addsUp());
  kernel = predicated();
  kernel.lines[1].switchedOff = 4;
  EXPECT_FALSE(kernel.addsUp());
  kernel = predicated();
  kernel.lines[0] = executed(3, {6, 10, 25}); // more than it used
  kernel.lines[1].used = 190;
  EXPECT_FALSE(kernel.addsUp());
}

TEST(KernelProfile, BranchesHaveAPartOfWhatIsSwitchedOff) {
  KernelProfile kernel = predicated();
  kernel.branches[0].switchedOff = 30;
  EXPECT_TRUE(kernel.addsUp());
  kernel.branches[0].switchedOff = 31;
  EXPECT_FALSE(kernel.addsUp());
}

TEST(KernelProfile, WhatIsNotKnownHasNoParts) {
  EXPECT_TRUE(unknown().addsUp());
  KernelProfile kernel = unknown();
  kernel.lines = predicated().lines;
  EXPECT_FALSE(kernel.addsUp());
  kernel = unknown();
  kernel.branches[0].switchedOff = 1;
  EXPECT_FALSE(kernel.addsUp());
}

TEST(KernelProfile, LanesOnAreThoseWhosePredicateHolds) {
  EXPECT_EQ(predicated().averageActiveLanes(), 20);
  EXPECT_EQ(predicated().averageLanesOn(), 17);
  EXPECT_FALSE(unknown().averageLanesOn());
  KernelProfile never;
  never.switchedOff = 0;
  EXPECT_FALSE(never.averageLanesOn());
}

TEST(KernelProfile, LaunchesMayComeByOtherLines) {
  KernelProfile sum = predicated();
  KernelProfile other = predicated();
  other.lines = {executed(1, {1, 20, 1}), executed(5, {1, 20, 0}), executed(7, {5, 100, 20}),
                 executed(9, {3, 60, 9})};
  sum.add(other);
  EXPECT_TRUE(sum.addsUp());
  EXPECT_EQ(sum.lostToSequences, 100u);
  EXPECT_EQ(sum.switchedOff, 60u);
  EXPECT_EQ(sum.branches[0].switchedOff, 40u);
  std::vector<int> numbers;
  for (const LineProfile& line : sum.lines)
    numbers.push_back(line.site.where.line);
  EXPECT_EQ(numbers, (std::vector<int>{1, 3, 5, 7, 9}));
  EXPECT_EQ(sum.lines[3].warpInstructions, 9u);
  EXPECT_EQ(sum.lines[3].used, 180u);
  EXPECT_EQ(sum.lines[3].switchedOff, 25u);
}

TEST(KernelProfile, ASumIsKnownWhereAllItsPartsAre) {
  KernelProfile sum = predicated();
  sum.add(unknown());
  EXPECT_FALSE(sum.switchedOff);
  EXPECT_TRUE(sum.addsUp());
  sum.add(predicated());
  EXPECT_FALSE(sum.switchedOff);
  EXPECT_TRUE(sum.addsUp());
  KernelProfile withoutLines = predicated();
  withoutLines.lines.clear();
  sum = predicated();
  sum.add(withoutLines);
  sum.add(predicated());
  EXPECT_EQ(sum.switchedOff, 90u);
  EXPECT_TRUE(sum.lines.empty());
  EXPECT_TRUE(sum.addsUp());
}

TEST(KernelProfile, APartThatRanNothingForgetsNothing) {
  KernelProfile nothing;
  nothing.branches.resize(1);
  KernelProfile sum = nothing;
  sum.add(predicated());
  sum.add(nothing);
  EXPECT_EQ(sum.switchedOff, 30u);
  EXPECT_EQ(sum.branches[0].switchedOff, 20u);
  EXPECT_EQ(sum.lines.size(), 2u);
  EXPECT_TRUE(sum.addsUp());
}

TEST(KernelProfile, FirstTouchesOfLaunchesAddUp) {
  KernelProfile sum, touched;
  sum.add(touched);
  EXPECT_FALSE(sum.firstTouch);
  touched.firstTouch = {100, 2.0, 1.0};
  sum.add(touched);
  sum.add(touched);
  ASSERT_TRUE(sum.firstTouch);
  EXPECT_EQ(sum.firstTouch->bytes, 200u);
  EXPECT_EQ(sum.firstTouch->seconds, 4);
  EXPECT_EQ(sum.firstTouch->prefetchSeconds, 2);
}

} // namespace
} // namespace heddle::profile
