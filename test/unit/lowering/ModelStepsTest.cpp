// SPDX-License-Identifier: Apache-2.0
#include "lowering/steps/ModelSteps.h"

#include "lowering/MathCosts.h"

#include <gtest/gtest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

namespace heddle::lowering {
namespace {

using profile::Step;
using profile::StepKind;
using profile::Unit;

/// A function lowered, and of its blocks as many as asked for.
std::vector<BlockSteps> lowered(const std::string& body, const std::string& parameters,
                                std::size_t count, const std::string& others = "") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::string text = "declare float @__nv_sinf(float)\n"
                           "define void @f(" +
                           parameters + ") {\n" + body + "  ret void\n}\n" + others;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  EXPECT_NE(module, nullptr) << error.getMessage().str();
  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::BasicBlock& block : *module->getFunction("f"))
    if (blocks.size() < count)
      blocks.push_back(&block);
  const auto no = [](const llvm::Instruction&) { return false; };
  const auto isUniform = [](const llvm::Value&) { return false; };
  const auto siteOf = [](const llvm::Instruction&) { return 7; };
  const auto spaceOf = [](int) { return profile::MemorySpace::Global; };
  int values = 0;
  return modelSteps(blocks, {siteOf, spaceOf, no, no, isUniform}, values);
}

/// The steps of a function's first block.
std::vector<Step> stepsOf(const std::string& body, const std::string& parameters) {
  return lowered(body, parameters, 1).front().own;
}

TEST(ModelSteps, AProductThatOnlyFeedsASumIsOneWithIt) {
  const auto fused = stepsOf("%p = fmul contract float %a, %b\n%s = fadd contract float %p, %c\n"
                             "%t = fadd contract float %s, %s\n",
                             "float %a, float %b, float %c");
  ASSERT_EQ(fused.size(), 3u) << "two additions and the return";
  EXPECT_EQ(fused[1].operands[0], fused[0].result) << "the second waits for the first";
  EXPECT_EQ(
      stepsOf("%p = fmul float %a, %b\n%s = fadd float %p, %c\n", "float %a, float %b, float %c")
          .size(),
      3u)
      << "not without leave";
}

TEST(ModelSteps, CastsAndConstantOffsetsAreFree) {
  const auto steps = stepsOf("%w = sext i32 %i to i64\n%q = getelementptr float, ptr %p, i64 %w\n"
                             "%r = getelementptr i8, ptr %q, i64 16\n%v = load float, ptr %r\n"
                             "store float %v, ptr %q\n",
                             "ptr %p, i32 %i");
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[1].kind, StepKind::Access);
  EXPECT_EQ(steps[1].site, 7);
  EXPECT_EQ(steps[1].bytes, 4);
  EXPECT_EQ(steps[1].operands[0], steps[0].result) << "through the constant offset";
  EXPECT_EQ(steps[2].access, profile::AccessKind::Store);
}

TEST(ModelSteps, ArgumentsAreReadForNothing) {
  const std::string load = "%r = getelementptr inbounds i8, ptr %p, i64 8\n%v = load i32, ptr %r\n";
  const auto issues = [&](const std::string& parameters, const std::string& callers = "") {
    return lowered(load, parameters, 1, callers).front().own.front().issues;
  };
  const std::string byValue = "define void @k(ptr byval({ptr, i32}) %s) {\n "
                              "call void @f(ptr %s)\n ret void\n}\n";
  const std::string byPointer = "define void @l(ptr %s) {\n call void @f(ptr %s)\n ret void\n}\n";
  EXPECT_EQ(issues("ptr byval({ptr, i32}) %p"), 0);
  EXPECT_EQ(issues("ptr %p"), 1);
  EXPECT_EQ(issues("ptr %p", byValue), 0) << "a function that the kernel calls with it";
  EXPECT_EQ(issues("ptr %p", byValue + byPointer), 1) << "and another with something else";
}

TEST(ModelSteps, WideNumbersTakeMoreInstructions) {
  const auto narrow = stepsOf("%s = add i32 %a, %b\n", "i32 %a, i32 %b");
  const auto wide = stepsOf("%s = add i64 %a, %b\n", "i64 %a, i64 %b");
  EXPECT_EQ(narrow[0].issues, 1);
  EXPECT_EQ(wide[0].issues, 2);
}

TEST(ModelSteps, DivisionIsASequence) {
  const auto by = [](const char* divisor) {
    int issues = 0;
    for (const Step& step :
         stepsOf(std::string("%q = udiv i32 %a, ") + divisor + "\n", "i32 %a, i32 %b"))
      issues += step.issues;
    return issues;
  };
  EXPECT_LT(by("8"), by("7"));
  EXPECT_LT(by("7"), by("%b"));
}

TEST(ModelSteps, LibraryFunctionsAreWhatTheyBecome) {
  EXPECT_EQ(stepsOf("%s = call float @__nv_sinf(float %x)\n", "float %x")[0].issues,
            mathCost("__nv_sinf").issues);
  EXPECT_GT(mathCost("__nv_sinf").issues, 10);
  EXPECT_EQ(mathCost("__nv_logf").issues, 26) << "as counted in photon.cu on an H200";
  EXPECT_EQ(mathCost("__nv_log2f").specials, 0) << "a polynomial like logf, only __log2f is not";
  EXPECT_EQ(mathCost("__nv_sin").unit, Unit::Fp64);
  EXPECT_EQ(mathCost("__nv_fast_sinf").specials, 1);
  EXPECT_LT(mathCost("__nv_fast_sinf").issues, 3);
  EXPECT_EQ(mathCost("__nv_fabsf").issues, 0);
  EXPECT_EQ(mathCost("__nv_erff").unit, Unit::Fp32) << "a name that ends in f twice";
  EXPECT_EQ(mathCost("__nv_erf").unit, Unit::Fp64);
  EXPECT_EQ(mathCost("llvm.sqrt.f32").specials, 1);
  EXPECT_EQ(mathCost("llvm.ctpop.i32").specials, 1);
  EXPECT_EQ(mathCost("__nv_mul24").unit, Unit::Multiply24);
}

TEST(ModelSteps, AJumpIsFreeABranchIsNot) {
  EXPECT_EQ(stepsOf("br label %n\nn:\n", "i1 %c").size(), 0u);
  const auto steps = stepsOf("br i1 %c, label %n, label %m\nn:\nbr label %m\nm:\n", "i1 %c");
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].kind, StepKind::Branch);
}

/// An if-else with `length` products on either side.
std::vector<BlockSteps> ifElse(int length) {
  std::string body = "br i1 %c, label %y, label %n\n";
  for (const std::string side : {"y", "n"}) {
    std::string last = "%a";
    body += side + ":\n";
    for (int i = 0; i < length; ++i) {
      const std::string value = "%" + side + std::to_string(i);
      body += value + " = fmul float " + last + ", %a\n";
      last = value;
    }
    body += "br label %m\n";
  }
  return lowered(body + "m:\n", "i1 %c, float %a", 4);
}

TEST(ModelSteps, AShortBranchRunsBothSidesWithoutAJump) {
  const std::vector<BlockSteps> brief = ifElse(6), lengthy = ifElse(8);
  const std::vector<Step>& all = brief[0].run();
  EXPECT_EQ(all.size(), 14u) << "the condition, both sides and the end";
  EXPECT_EQ(all.front().kind, StepKind::Merge) << "it is waited for, not jumped by";
  EXPECT_TRUE(all.front().waitsForPredicate);
  EXPECT_NE(std::ranges::find(all[1].operands, all.front().result), all[1].operands.end());
  for (const std::size_t block : {1, 2, 3})
    EXPECT_TRUE(brief[block].run().empty());
  EXPECT_EQ(lengthy[0].run().size(), 1u);
  EXPECT_EQ(lengthy[1].run().back().kind, StepKind::Branch) << "on to where they meet";
}

TEST(ModelSteps, ALoopCountsAtTheBeginningOfATurn) {
  const std::vector<BlockSteps> shape =
      lowered("br label %first\n"
              "first:\n%i = phi i32 [0, %0], [%j, %last]\n"
              "br i1 %c, label %side, label %last\n"
              "side:\n fence seq_cst\nbr label %last\n"
              "last:\n%j = add i32 %i, 1\n%d = icmp ult i32 %j, %n\n"
              "br i1 %d, label %first, label %end\nend:\n",
              "i1 %c, i32 %n", 4);
  const auto count = [&](std::size_t block, Unit unit) {
    return std::ranges::count(shape[block].own, unit, &Step::unit);
  };
  EXPECT_EQ(count(1, Unit::IntAdd), 1);
  EXPECT_EQ(shape[3].own.size(), 1u) << "only the branch is left";
  EXPECT_TRUE(shape[1].own.back().marksMeeting) << "its sides meet in the last block";
  EXPECT_FALSE(shape[3].own.back().marksMeeting) << "a loop goes round";
}

TEST(ModelSteps, AComparisonIsMadeWhileAChainWaits) {
  const auto steps = stepsOf("%p = fmul float %a, %a\n%q = fmul float %p, %a\n"
                             "%j = add i32 %i, 1\n%c = icmp slt i32 %j, 9\n"
                             "br i1 %c, label %n, label %m\nn:\nbr label %m\nm:\n",
                             "float %a, i32 %i");
  ASSERT_EQ(steps.size(), 5u);
  EXPECT_EQ(steps[3].unit, Unit::Fp32) << "the second product comes last";
  EXPECT_EQ(steps[4].kind, StepKind::Branch);
  EXPECT_TRUE(steps[4].waitsForPredicate);
}

} // namespace
} // namespace heddle::lowering
