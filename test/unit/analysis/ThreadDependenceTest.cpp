// SPDX-License-Identifier: Apache-2.0
#include "analysis/ThreadDependence.h"

#include "analysis/SourceForm.h"
#include "frontend/DeviceModule.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace heddle::analysis {
namespace {

/// The spreads of the named values of a kernel `k(ptr %x, i32 %n)`.
std::map<std::string, Spread> spreads(const std::string& body) {
  auto module = frontend::parseDeviceModule(R"(
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [64 x i32] undef
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.barrier0.or(i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
define ptx_kernel void @k(ptr %x, i32 %n) {
start:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)" + body + "}\n",
                                            "test");
  EXPECT_TRUE(module) << module.error().message;
  llvm::Function& kernel = *module->module->getFunction("k");
  const ThreadDependence threads(kernel);
  std::map<std::string, Spread> result;
  for (const llvm::BasicBlock& block : kernel)
    for (const llvm::Instruction& instruction : block)
      if (instruction.hasName())
        result[instruction.getName().str()] = threads.of(&instruction).spread();
  return result;
}

TEST(ThreadDependence, LoadsFollowTheirAddress) {
  const auto found = spreads(R"(
  %same = load i32, ptr %x
  %at = getelementptr i32, ptr %x, i32 %tid
  %own = load i32, ptr %at
  %warp = lshr i32 %tid, 5
  %atWarp = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @shared to ptr), i32 %warp
  %ofWarp = load i32, ptr %atWarp
  %local = alloca i32
  %kept = load i32, ptr %local
  %old = atomicrmw add ptr %x, i32 1 monotonic
  ret void
)");
  EXPECT_EQ(found.at("same"), Spread::Uniform);
  EXPECT_EQ(found.at("own"), Spread::Data);
  EXPECT_EQ(found.at("ofWarp"), Spread::Warp);
  EXPECT_EQ(found.at("kept"), Spread::Unknown);
  EXPECT_EQ(found.at("old"), Spread::Data);
}

TEST(ThreadDependence, VotesAndBroadcastsAreShared) {
  const auto found = spreads(R"(
  %row = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %any = call i32 @llvm.nvvm.barrier0.or(i32 %tid)
  %first = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 0, i32 31)
  %other = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 %tid, i32 31)
  ret void
)");
  EXPECT_EQ(found.at("row"), Spread::Warp);
  EXPECT_EQ(found.at("any"), Spread::Uniform);
  EXPECT_EQ(found.at("first"), Spread::Warp);
  EXPECT_EQ(found.at("other"), Spread::Data);
}

TEST(ThreadDependence, ValuesDifferWhereSidesMeet) {
  const auto found = spreads(R"(
  %odd = trunc i32 %tid to i1
  br i1 %odd, label %then, label %join
then:
  br label %join
join:
  %merged = phi i32 [ 1, %start ], [ 2, %then ]
  %alike = phi i32 [ %n, %start ], [ %n, %then ]
  %big = icmp sgt i32 %n, 5
  br i1 %big, label %large, label %end
large:
  br label %end
end:
  %uniform = phi i32 [ 1, %join ], [ 2, %large ]
  ret void
)");
  EXPECT_EQ(found.at("merged"), Spread::Lanes);
  EXPECT_EQ(found.at("alike"), Spread::Uniform);
  EXPECT_EQ(found.at("uniform"), Spread::Uniform);
}

TEST(ThreadDependence, ACounterDiffersBehindTheLoopOnly) {
  const auto found = spreads(R"(
  %bound = and i32 %tid, 7
  br label %head
head:
  %i = phi i32 [ 0, %start ], [ %next, %body ]
  %more = icmp slt i32 %i, %bound
  br i1 %more, label %body, label %exit
body:
  %next = add i32 %i, 1
  br label %head
exit:
  %turns = phi i32 [ %i, %head ]
  ret void
)");
  EXPECT_EQ(found.at("i"), Spread::Uniform);
  EXPECT_EQ(found.at("more"), Spread::Lanes);
  EXPECT_EQ(found.at("turns"), Spread::Lanes);
}

TEST(ThreadDependence, AStridedLoopStaysOrdered) {
  const auto found = spreads(R"(
  br label %head
head:
  %i = phi i32 [ %tid, %start ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  %next = add i32 %i, 256
  br label %head
exit:
  ret void
)");
  EXPECT_EQ(found.at("i"), Spread::Few);
  EXPECT_EQ(found.at("more"), Spread::Few);
}

} // namespace
} // namespace heddle::analysis
