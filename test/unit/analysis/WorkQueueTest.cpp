// SPDX-License-Identifier: Apache-2.0
#include "analysis/WorkQueue.h"

#include <gtest/gtest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

namespace heddle::analysis {
namespace {

using profile::WorkCounter;

/// Of a loop: `take` makes %t, and the loop ends by what `end` makes of it as %c.
WorkCounter counterOf(const std::string& take, const std::string& end) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::string text = R"(
    @place = internal addrspace(3) global i32 undef
    @other = internal addrspace(3) global i32 undef
    declare i32 @shuffle(i32)
    define void @f(ptr addrspace(1) %counter, i32 %n) {
      br label %loop
    loop:
      %i = phi i32 [ 0, %0 ], [ %j, %loop ]
      %j = add i32 %i, 1
)" + take + "\n" + end + R"(
      br i1 %c, label %loop, label %out
    out:
      ret void
    })";
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  EXPECT_NE(module, nullptr) << error.getMessage().str();
  if (module == nullptr)
    return WorkCounter::None;
  llvm::DominatorTree dominators(*module->getFunction("f"));
  return takesWork(*module->getFunction("f"), llvm::LoopInfo(dominators));
}

bool isQueue(const std::string& take, const std::string& end) {
  return counterOf(take, end) == WorkCounter::OfTheGrid;
}

const std::string take = "%t = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic";
const std::string compare = "%c = icmp slt i32 %t, %n";

TEST(WorkQueue, ACounterThatEndsALoopIsOne) {
  EXPECT_TRUE(isQueue(take, compare));
  EXPECT_TRUE(isQueue(take, "%s = call i32 @shuffle(i32 %t)\n%c = icmp slt i32 %s, %n"));
}

TEST(WorkQueue, AVariableMayHandItOn) {
  const auto through = [](const std::string& read) {
    return isQueue(take, "store i32 %t, ptr addrspace(3) @place\n%s = load i32, ptr addrspace(3) " +
                             read + "\n%c = icmp slt i32 %s, %n");
  };
  EXPECT_TRUE(through("@place"));
  EXPECT_FALSE(through("@other"));
}

TEST(WorkQueue, ACounterInSharedMemoryIsThatOfABlock) {
  EXPECT_EQ(counterOf("%t = atomicrmw add ptr addrspace(3) @place, i32 1 monotonic", compare),
            WorkCounter::OfBlocks);
  EXPECT_EQ(counterOf("%g = addrspacecast ptr addrspace(3) @place to ptr\n"
                      "%t = atomicrmw add ptr %g, i32 1 monotonic",
                      compare),
            WorkCounter::OfBlocks);
}

TEST(WorkQueue, OtherCountersAreNone) {
  const std::string count = "%c = icmp slt i32 %j, %n";
  EXPECT_FALSE(isQueue(take, count)) << "the loop ends otherwise";
  EXPECT_FALSE(isQueue("%t = atomicrmw max ptr addrspace(1) %counter, i32 1 monotonic", compare));
}

} // namespace
} // namespace heddle::analysis
