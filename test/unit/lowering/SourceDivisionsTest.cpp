// SPDX-License-Identifier: Apache-2.0
#include "lowering/SourceDivisions.h"

#include <gtest/gtest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

namespace heddle::lowering {
namespace {

constexpr const char* debugPlaces =
    "!llvm.module.flags = !{!0}\n!llvm.dbg.cu = !{!1}\n"
    "!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: "
    "LineTablesOnly)\n"
    "!2 = !DIFile(filename: \"none.cu\", directory: \"/\")\n"
    "!3 = distinct !DISubprogram(name: \"f\", file: !2, line: 1, unit: !1, type: !4, spFlags: "
    "DISPFlagDefinition)\n"
    "!4 = !DISubroutineType(types: !5)\n!5 = !{null}\n"
    "!6 = !DILocation(line: 3, column: 11, scope: !3)\n"
    "!7 = !DILocation(line: 3, column: 15, scope: !3)\n";

/// Whether the `and` of a loop counts as a division. `step`: what a turn does to %s; `mask`: what
/// %i is masked with.
bool marks(const std::string& step, const std::string& mask, const char* maskPlace = "!6") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::string text = "define i32 @f(i32 %i, i32 %n) !dbg !3 {\nentry:\n  br label %loop\n"
                           "loop:\n  %s = phi i32 [ 1, %entry ], [ %next, %loop ]\n  %next = " +
                           step + "\n  %mask = " + mask + ", !dbg " + maskPlace +
                           "\n  %rest = and i32 %i, %mask, !dbg !6\n"
                           "  %more = icmp ult i32 %next, %n\n"
                           "  br i1 %more, label %loop, label %end\nend:\n  ret i32 %rest\n}\n" +
                           debugPlaces;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  EXPECT_NE(module, nullptr) << error.getMessage().str();
  markDivisions(*module);
  for (const llvm::Instruction& instruction : llvm::instructions(*module->getFunction("f")))
    if (instruction.getName() == "rest")
      return isDivision(instruction);
  ADD_FAILURE();
  return false;
}

TEST(SourceDivisions, ARemainderByWhatALoopDoublesIsADivision) {
  EXPECT_TRUE(marks("shl nuw i32 %s, 1", "add i32 %next, -1"));
  EXPECT_TRUE(marks("shl nuw i32 %s, 1", "add i32 %s, -1"));
}

TEST(SourceDivisions, AMaskThatLostItsUpperBitsIsOne) {
  EXPECT_TRUE(marks("shl nuw i32 %s, 1", "add i32 %next, 1023"));
  EXPECT_FALSE(marks("shl nuw i32 %s, 1", "add i32 %next, 1022"));
}

TEST(SourceDivisions, AMaskThatIsWrittenIsNone) {
  EXPECT_FALSE(marks("shl nuw i32 %s, 1", "add i32 %next, -1", "!7"));
}

TEST(SourceDivisions, WhatIsNoPowerOfTwoIsNone) {
  EXPECT_FALSE(marks("add nuw i32 %s, 1", "add i32 %next, -1"));
  EXPECT_FALSE(marks("shl nuw i32 %s, 1", "add i32 %n, -1"));
}

TEST(SourceDivisions, NvccFindsTheMaskOfAShiftToo) {
  EXPECT_FALSE(marks("shl nuw i32 1, %n", "add i32 %next, -1"));
}

} // namespace
} // namespace heddle::lowering
