// SPDX-License-Identifier: Apache-2.0
//
// Lengths that marks give to blocks. A mark is a call with the first line, the last line, flags (1:
// all meet here, 2: those that come round again do, 4: the branch is a jump), and the length and
// one.
#include "lowering/AccountLengths.h"

#include "../analysis/FlowText.h"

namespace heddle::lowering {
namespace {

using analysis::FlowText;
using Sides = std::array<std::uint32_t, 2>;

AccountLengths lengthsOf(const FlowText& text) {
  return accountLengths(text.flow(), text.joins(), true, [&](const llvm::Value& value) {
    return text.uniformity().isUniform(&value);
  });
}

std::uint32_t lengthOf(const FlowText& text, const std::string& block) {
  return lengthsOf(text).blocks.at(std::size_t(text.number(block)));
}
Sides sidesOf(const FlowText& text, const std::string& block) {
  return lengthsOf(text).edges.at(std::size_t(text.number(block)));
}

TEST(AccountLengths, AreThoseOfTheMarks) {
  const FlowText text(R"(
  call void @llvm.pseudoprobe(i64 1, i64 0, i32 0, i64 0)
  call void @llvm.pseudoprobe(i64 1, i64 4, i32 4, i64 13)
  br i1 %odd, label %side, label %behind
side:
  call void @llvm.pseudoprobe(i64 5, i64 0, i32 0, i64 0)
  store i32 1, ptr %out
  call void @llvm.pseudoprobe(i64 5, i64 5, i32 0, i64 1)
  br label %behind
behind:
  call void @llvm.pseudoprobe(i64 6, i64 0, i32 0, i64 0)
  store i32 2, ptr %out
  call void @llvm.pseudoprobe(i64 6, i64 7, i32 0, i64 41)
  ret void
)");
  EXPECT_EQ(lengthOf(text, "entry"), 12u);
  EXPECT_EQ(lengthOf(text, "side"), 0u) << "its instructions are with those of its branch";
  EXPECT_EQ(lengthOf(text, "behind"), 40u);
  EXPECT_EQ(sidesOf(text, "entry"), (Sides{0, 0})) << "nobody meets";
}

/// A block of PTX that passes made one of two.
TEST(AccountLengths, MarksOfOneBlockAddUp) {
  const FlowText text(R"(
  call void @llvm.pseudoprobe(i64 1, i64 0, i32 0, i64 0)
  call void @llvm.pseudoprobe(i64 1, i64 4, i32 0, i64 6)
  call void @llvm.pseudoprobe(i64 5, i64 0, i32 0, i64 0)
  call void @llvm.pseudoprobe(i64 5, i64 6, i32 0, i64 8)
  ret void
)");
  EXPECT_EQ(lengthOf(text, "entry"), 12u);
}

TEST(AccountLengths, MarksWithoutLengthsSayNothing) {
  const std::string blocks = "  store i32 2, ptr %out\n  ret void\n";
  const std::string marks = "  call void @llvm.pseudoprobe(i64 1, i64 0, i32 0, i64 0)\n"
                            "  call void @llvm.pseudoprobe(i64 1, i64 4, i32 0, i64 0)\n";
  EXPECT_EQ(lengthOf(FlowText(marks + blocks), "entry"), lengthOf(FlowText(blocks), "entry"));
  EXPECT_GT(lengthOf(FlowText(blocks), "entry"), 0u);
}

/// Each part that comes to a meeting executes BSYNC: from a block as part of it, from a branch on
/// the way.
TEST(AccountLengths, ThoseThatComeToAMeetingWait) {
  const FlowText text(R"(
  call void @llvm.pseudoprobe(i64 1, i64 4, i32 4, i64 13)
  br i1 %odd, label %side, label %behind
side:
  store i32 1, ptr %out
  call void @llvm.pseudoprobe(i64 5, i64 5, i32 0, i64 8)
  br label %behind
behind:
  call void @llvm.pseudoprobe(i64 6, i64 0, i32 1, i64 0)
  store i32 2, ptr %out
  call void @llvm.pseudoprobe(i64 6, i64 7, i32 0, i64 41)
  ret void
)");
  EXPECT_EQ(lengthOf(text, "entry"), 12u);
  EXPECT_EQ(sidesOf(text, "entry"), (Sides{0, 1}));
  EXPECT_EQ(lengthOf(text, "side"), 8u);
  EXPECT_EQ(lengthOf(text, "behind"), 40u);
}

TEST(AccountLengths, ThoseThatEnterALoopDoNotWaitForThoseThatGoRound) {
  const FlowText text(R"(
  call void @llvm.pseudoprobe(i64 1, i64 4, i32 0, i64 4)
  br label %head
head:
  call void @llvm.pseudoprobe(i64 5, i64 0, i32 2, i64 0)
  store i32 1, ptr %out
  call void @llvm.pseudoprobe(i64 5, i64 9, i32 4, i64 7)
  br i1 %odd, label %body, label %behind
body:
  store i32 3, ptr %out
  call void @llvm.pseudoprobe(i64 10, i64 12, i32 0, i64 3)
  br label %head
behind:
  store i32 2, ptr %out
  ret void
)");
  EXPECT_EQ(lengthOf(text, "entry"), 3u);
  EXPECT_EQ(lengthOf(text, "head"), 6u);
  EXPECT_EQ(lengthOf(text, "body"), 3u) << "2 and BSYNC";
}

} // namespace
} // namespace heddle::lowering
