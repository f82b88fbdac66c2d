// SPDX-License-Identifier: Apache-2.0
//
// What marks say of blocks, and what a model says where there are none. A mark is a call with the
// first line, the last line, flags (1: all meet here, 2: those that come round again do, 4: the
// branch is a jump), and the length and
// one.
#include "lowering/Lower.h"

#include "../analysis/FlowText.h"
#include "ptx/BlockMark.h"
#include "ptx/MachinePlan.h"

namespace heddle::lowering {
namespace {

using analysis::FlowText;
using Sides = std::array<std::uint32_t, 2>;

LoweredFunction lowered(const FlowText& text) {
  const auto no = [](const llvm::Instruction&) { return false; };
  const auto siteOf = [](const llvm::Instruction& instruction) {
    return llvm::isa<llvm::StoreInst>(instruction) ? 7 : -1;
  };
  const auto spaceOf = [](int) { return profile::MemorySpace::Global; };
  const auto isUniform = [&](const llvm::Value& value) {
    return text.uniformity().isUniform(&value);
  };
  int values = 0;
  return lower({text.flow(), text.joins(), true, {siteOf, spaceOf, no, no, isUniform}}, values);
}

std::uint32_t lengthOf(const FlowText& text, const std::string& block) {
  return lowered(text).blocks.at(std::size_t(text.number(block))).instructions;
}
Sides sidesOf(const FlowText& text, const std::string& block) {
  return lowered(text).edges.at(std::size_t(text.number(block)));
}

TEST(Lower, AreThoseOfTheMarks) {
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
TEST(Lower, MarksOfOneBlockAddUp) {
  const FlowText text(R"(
  call void @llvm.pseudoprobe(i64 1, i64 0, i32 0, i64 0)
  call void @llvm.pseudoprobe(i64 1, i64 4, i32 0, i64 6)
  call void @llvm.pseudoprobe(i64 5, i64 0, i32 0, i64 0)
  call void @llvm.pseudoprobe(i64 5, i64 6, i32 0, i64 8)
  ret void
)");
  EXPECT_EQ(lengthOf(text, "entry"), 12u);
}

TEST(Lower, MarksWithoutLengthsSayNothing) {
  const std::string blocks = "  store i32 2, ptr %out\n  ret void\n";
  const std::string marks = "  call void @llvm.pseudoprobe(i64 1, i64 0, i32 0, i64 0)\n"
                            "  call void @llvm.pseudoprobe(i64 1, i64 4, i32 0, i64 0)\n";
  EXPECT_EQ(lengthOf(FlowText(marks + blocks), "entry"), lengthOf(FlowText(blocks), "entry"));
  EXPECT_GT(lengthOf(FlowText(blocks), "entry"), 0u);
}

/// Each part that comes to a meeting executes BSYNC: from a block as part of it, from a branch on
/// the way.
TEST(Lower, ThoseThatComeToAMeetingWait) {
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

TEST(Lower, ThoseThatEnterALoopDoNotWaitForThoseThatGoRound) {
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

/// Gives the mark at the beginning of a block a plan, and its stores the lines of the PTX.
void setPlan(const FlowText& text, const std::string& block, const ptx::MachinePlan& plan) {
  for (llvm::Instruction& instruction : *text.flow().blocks[std::size_t(text.number(block))]) {
    if (const auto mark = ptx::markOf(instruction); mark && mark->isBegin())
      ptx::setPlan(instruction, plan);
    if (llvm::isa<llvm::StoreInst>(instruction))
      ptx::setPtxLine(instruction, plan.code.back().line);
  }
}

constexpr const char* branchWithMarks = R"(
  call void @llvm.pseudoprobe(i64 1, i64 0, i32 0, i64 0)
  call void @llvm.pseudoprobe(i64 1, i64 4, i32 4, i64 4)
  br i1 %odd, label %side, label %behind
side:
  call void @llvm.pseudoprobe(i64 5, i64 0, i32 0, i64 0)
  store i32 1, ptr %out
  call void @llvm.pseudoprobe(i64 5, i64 5, i32 0, i64 2)
  br label %behind
behind:
  call void @llvm.pseudoprobe(i64 6, i64 0, i32 1, i64 0)
  store i32 2, ptr %out
  call void @llvm.pseudoprobe(i64 6, i64 7, i32 0, i64 3)
  ret void
)";

TEST(Lower, PlannedInstructionsTakeThePlaceOfTheModels) {
  constexpr std::uint16_t iadd3 = 0x010, stg = 0x186;
  const FlowText text(branchWithMarks);
  setPlan(text, "entry", {.rounds = 2, .code = {{.line = 2, .code = iadd3, .stall = 4}}});
  setPlan(text, "behind",
          {.code = {{.line = 6, .code = iadd3}, {.line = 7, .code = stg, .reads = 1}}});
  const LoweredFunction made = lowered(text), model = lowered(FlowText("  ret void\n"));
  const auto block = [&](const std::string& name) {
    return made.blocks[std::size_t(text.number(name))];
  };
  EXPECT_TRUE(made.isMachineCode && block("entry").isMachineCode);
  ASSERT_EQ(block("entry").steps.size(), 1u);
  EXPECT_EQ(block("entry").steps[0].stall, 4);
  EXPECT_EQ(block("entry").rounds, 2u);
  ASSERT_EQ(block("side").steps.size(), 1u) << "only BSYNC: what it does is with its branch";
  EXPECT_EQ(block("side").steps[0].unit, profile::Unit::Control);
  ASSERT_EQ(block("behind").steps.size(), 2u);
  EXPECT_EQ(block("behind").steps[1].kind, profile::StepKind::Access);
  EXPECT_EQ(block("behind").steps[1].site, 7) << "by the line of the PTX";
  EXPECT_EQ(block("side").work.accesses.size(), 1u) << "what it asks for is its own";
  ASSERT_TRUE(made.arrival) << "lanes come to the meeting from the branch";
  EXPECT_EQ(made.arrival->instructions, 1u);
  EXPECT_FALSE(model.isMachineCode || model.arrival);
}

/// A mark has a length, and no plan where ptxas's instructions are not in one piece.
TEST(Lower, TheModelsStepsStayWhereThereIsNoPlan) {
  const LoweredFunction made = lowered(FlowText(branchWithMarks));
  EXPECT_TRUE(made.isMachineCode);
  for (const profile::BlockShape& block : made.blocks) {
    EXPECT_FALSE(block.isMachineCode);
    EXPECT_FALSE(block.isRunBefore);
    EXPECT_EQ(block.steps.size(), block.work.steps);
  }
}

} // namespace
} // namespace heddle::lowering
