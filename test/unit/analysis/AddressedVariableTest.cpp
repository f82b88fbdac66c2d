// SPDX-License-Identifier: Apache-2.0
#include "analysis/AddressedVariable.h"

#include <gtest/gtest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

namespace heddle::analysis {
namespace {

/// The variable that the load at the end of a function reads; `body` makes its address %p.
std::string variableOf(const std::string& body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::string text = R"(
    @table = addrspace(1) global [8 x i32] zeroinitializer
    @other = addrspace(1) global [8 x i32] zeroinitializer
    define i32 @f(i64 %i, i1 %c, ptr addrspace(1) %given) {
    entry:
)" + body + R"(
      %v = load i32, ptr addrspace(1) %p
      ret i32 %v
    })";
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  EXPECT_NE(module, nullptr) << error.getMessage().str();
  if (module == nullptr)
    return "";
  const llvm::Instruction* end = module->getFunction("f")->back().getTerminator();
  const auto& load = llvm::cast<llvm::LoadInst>(*end->getPrevNode());
  const llvm::GlobalVariable* found = variableAddressedBy(*load.getPointerOperand());
  return found == nullptr ? "none" : found->getName().str();
}

TEST(AddressedVariable, AnElementIsInItsArray) {
  EXPECT_EQ(variableOf("%p = getelementptr i32, ptr addrspace(1) @table, i64 %i"), "table");
}

TEST(AddressedVariable, NumbersAreAddressesToo) {
  EXPECT_EQ(variableOf(R"(%s = shl i64 %i, 2
    %a = add i64 %s, ptrtoint (ptr addrspace(1) @other to i64)
    %b = sub i64 %a, %i
    %p = inttoptr i64 %b to ptr addrspace(1))"),
            "other");
}

TEST(AddressedVariable, ALoopStaysInItsArray) {
  EXPECT_EQ(variableOf(R"(br label %loop
    loop:
      %p = phi ptr addrspace(1) [ @table, %entry ], [ %q, %loop ]
      %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
      br i1 %c, label %loop, label %out
    out:)"),
            "table");
}

TEST(AddressedVariable, OneOfTwoIsNotKnown) {
  EXPECT_EQ(variableOf("%p = select i1 %c, ptr addrspace(1) @table, ptr addrspace(1) @other"),
            "none");
  EXPECT_EQ(variableOf("%p = select i1 %c, ptr addrspace(1) @table, ptr addrspace(1) %given"),
            "none");
}

TEST(AddressedVariable, ADistanceLeadsOut) {
  EXPECT_EQ(
      variableOf(
          R"(%d = sub i64 ptrtoint (ptr addrspace(1) @other to i64), ptrtoint (ptr addrspace(1) @table to i64)
    %p = getelementptr i8, ptr addrspace(1) @table, i64 %d)"),
      "none");
}

TEST(AddressedVariable, WhatTheCallerGivesIsNotKnown) {
  EXPECT_EQ(variableOf("%p = getelementptr i32, ptr addrspace(1) %given, i64 %i"), "none");
}

} // namespace
} // namespace heddle::analysis
