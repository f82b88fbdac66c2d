// SPDX-License-Identifier: Apache-2.0
//
// Which values one scalar can hold for a warp. All lanes begin with the same values; only %odd and
// %tid part them.
#include "analysis/Uniformity.h"

#include "FlowText.h"

namespace heddle::analysis {
namespace {

TEST(Uniformity, ValuesFollowTheirOperands) {
  const FlowText text(R"(
  %sum = add i32 %n, 1
  %own = add i32 %n, %tid
  %same = load i32, ptr %out
  %fresh = load volatile i32, ptr %out
  %at = getelementptr i32, ptr %out, i32 %tid
  %data = load i32, ptr %at
  ret void
)");
  EXPECT_TRUE(text.isUniform("sum"));
  EXPECT_FALSE(text.isUniform("own"));
  EXPECT_TRUE(text.isUniform("same"));
  EXPECT_FALSE(text.isUniform("fresh"));
  EXPECT_FALSE(text.isUniform("data"));
}

TEST(Uniformity, ArgumentsOfACalledFunctionDiffer) {
  const char* blocks = "  %sum = add i32 %n, 1\n  ret void\n";
  EXPECT_TRUE(FlowText(blocks).isUniform("sum"));
  EXPECT_FALSE(FlowText(blocks, /*isKernel=*/false).isUniform("sum"));
}

TEST(Uniformity, VotesTellAllLanesTheSame) {
  const FlowText text(R"(
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 %n, i1 %odd)
  %ofSome = call i32 @llvm.nvvm.vote.ballot.sync(i32 %tid, i1 true)
  %shuffled = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %n, i32 0, i32 31)
  ret void
)");
  EXPECT_TRUE(text.isUniform("ballot"));
  EXPECT_TRUE(text.isUniform("any"));
  EXPECT_FALSE(text.isUniform("ofSome")) << "lanes name different ones";
  EXPECT_FALSE(text.isUniform("shuffled"));
}

/// A vote of the lanes in a branch is not that of the others.
TEST(Uniformity, AVoteInABranchDiffersBehindIt) {
  const FlowText text(R"(
  br i1 %odd, label %then, label %behind
then:
  %vote = call i32 @llvm.nvvm.vote.ballot.sync(i32 %n, i1 true)
  %twice = add i32 %vote, %vote
  store i32 %twice, ptr %out
  br label %behind
behind:
  %merged = phi i32 [ 0, %entry ], [ %vote, %then ]
  store i32 %merged, ptr %out
  ret void
)");
  EXPECT_FALSE(text.isUniform("vote")); // lanes that have parted may come to it at other times
  EXPECT_FALSE(text.isUniform("twice"));
  EXPECT_FALSE(text.isUniform("merged"));
}

TEST(Uniformity, AJoinOfUniformSidesDependsOnTheBranch) {
  const auto merged = [](const std::string& condition, const std::string& name) {
    return FlowText("  br i1 " + condition + R"(, label %then, label %behind
then:
  br label %behind
behind:
  %differs = phi i32 [ 1, %entry ], [ 2, %then ]
  %alike = phi i32 [ %n, %entry ], [ %n, %then ]
  store i32 %differs, ptr %out
  ret void
)")
        .isUniform(name);
  };
  EXPECT_TRUE(merged("%a", "differs"));
  EXPECT_FALSE(merged("%odd", "differs"));
  EXPECT_TRUE(merged("%odd", "alike"));
}

/// while (left > n) { if (odd) { left = 0; continue; } left -= 2; }
TEST(Uniformity, LanesComeBackByTwoWaysWithValuesOfTheirOwn) {
  const FlowText text(R"(
  br label %head
head:
  %left = phi i32 [ 99, %entry ], [ 0, %drop ], [ %less, %take ]
  %turn = phi i32 [ 0, %entry ], [ %after, %drop ], [ %after, %take ]
  %after = add i32 %turn, 1
  %more = icmp sgt i32 %left, %n
  br i1 %more, label %body, label %behind
body:
  br i1 %odd, label %drop, label %take
drop:
  br label %head
take:
  %less = sub i32 %left, 2
  br label %head
behind:
  store i32 1, ptr %out
  ret void
)");
  EXPECT_FALSE(text.isUniform("left"));
  EXPECT_FALSE(text.isUniform("more"));
  EXPECT_TRUE(text.isUniform("turn"))
      << "both ways bring the same, and nobody waits for the old one";
}

TEST(Uniformity, TheCounterOfAUniformLoopIsUniform) {
  const FlowText text(R"(
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %behind
body:
  br i1 %odd, label %work, label %latch
work:
  store i32 %i, ptr %out
  br label %latch
latch:
  %next = add i32 %i, 1
  br label %head
behind:
  %last = phi i32 [ %i, %head ]
  store i32 %last, ptr %out
  ret void
)");
  EXPECT_TRUE(text.isUniform("i"));
  EXPECT_TRUE(text.isUniform("next"));
  EXPECT_TRUE(text.isUniform("last"));
}

/// for (i = 0; i < tid; ++i); use(i)
constexpr const char* leftOneByOne = R"(
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %tid
  br i1 %more, label %body, label %behind
body:
  %next = add i32 %i, 1
  %fixed = mul i32 %n, 3
  br label %head
behind:
)";

TEST(Uniformity, ALoopsValueDiffersBehindItInAPhiOfItsOwn) {
  const FlowText text(std::string(leftOneByOne) + R"(
  %turns = phi i32 [ %i, %head ]
  store i32 %turns, ptr %out
  ret void
)");
  EXPECT_TRUE(text.isUniform("i")) << "lanes that stay count together";
  EXPECT_FALSE(text.isUniform("more"));
  EXPECT_FALSE(text.isUniform("turns"));
}

TEST(Uniformity, ALoopsValueThatIsUsedBehindItIsKeptApart) {
  const FlowText text(std::string(leftOneByOne) + R"(
  store i32 %i, ptr %out
  ret void
)");
  EXPECT_FALSE(text.isUniform("i"));
}

TEST(Uniformity, WhatComesOutTheSameMayBeComputedAgain) {
  const FlowText text(R"(
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add i32 %i, 1
  %fixed = mul i32 %n, 3
  %more = icmp slt i32 %next, %tid
  br i1 %more, label %body, label %behind
behind:
  %sum = add i32 %fixed, 1
  store i32 %sum, ptr %out
  ret void
)");
  EXPECT_TRUE(text.isUniform("fixed"));
  EXPECT_TRUE(text.isUniform("sum"));
  EXPECT_TRUE(text.isUniform("i"));
}

/// do { before = value; value = value * 3 + 1; } while (...); use(before, value)
TEST(Uniformity, TheValueOfTheTurnBeforeDiffersBehindTheLoop) {
  const FlowText text(R"(
  br label %body
body:
  %value = phi i32 [ 1, %entry ], [ %next, %body ]
  %before = phi i32 [ 0, %entry ], [ %value, %body ]
  %scaled = mul i32 %value, 3
  %next = add i32 %scaled, 1
  %more = icmp slt i32 %next, %tid
  br i1 %more, label %body, label %behind
behind:
  %lastBefore = phi i32 [ %before, %body ]
  %lastValue = phi i32 [ %value, %body ]
  %sum = add i32 %lastBefore, %lastValue
  store i32 %sum, ptr %out
  ret void
)");
  EXPECT_TRUE(text.isUniform("value"));
  EXPECT_TRUE(text.isUniform("before"));
  EXPECT_FALSE(text.isUniform("lastBefore"));
  EXPECT_FALSE(text.isUniform("lastValue"));
}

/// Lanes of one side write the header's phi while those of the other, which come later, may still
/// read it.
TEST(Uniformity, AHeadersPhiIsKeptApartWhereTheOtherSideNeedsIt) {
  const auto counter = [](const std::string& used) {
    return FlowText(R"(
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ], [ %next, %use ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %behind
body:
  br i1 %odd, label %head, label %use
use:
  store i32 )" + used +
                    R"(, ptr %out
  br label %head
behind:
  store i32 1, ptr %out
  ret void
)")
        .isUniform("i");
  };
  EXPECT_TRUE(counter("7"));
  EXPECT_FALSE(counter("%i"));
}

/// Some lanes return from inside: those that go on are alone with their values.
TEST(Uniformity, LanesThatReturnNeedNothing) {
  const FlowText text(R"(
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br i1 %odd, label %done, label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %head, label %behind
behind:
  %last = phi i32 [ %next, %latch ]
  store i32 %last, ptr %out
  br label %done
done:
  ret void
)");
  EXPECT_TRUE(text.isUniform("i"));
  EXPECT_TRUE(text.isUniform("next"));
}

TEST(Uniformity, CyclesWithTwoWaysInKeepTheirValuesApart) {
  const FlowText text(R"(
  br i1 %odd, label %left, label %right
left:
  %x = phi i32 [ 0, %entry ], [ %z, %right ]
  %y = add i32 %x, 1
  %goOn = icmp slt i32 %y, %n
  br i1 %goOn, label %right, label %behind
right:
  %z = phi i32 [ 5, %entry ], [ %y, %left ]
  %again = icmp slt i32 %z, %n
  br i1 %again, label %left, label %behind
behind:
  %last = phi i32 [ %y, %left ], [ %z, %right ]
  store i32 %last, ptr %out
  ret void
)");
  EXPECT_FALSE(text.isUniform("x"));
  EXPECT_FALSE(text.isUniform("z"));
  EXPECT_FALSE(text.isUniform("last"));
}

} // namespace
} // namespace heddle::analysis
