// SPDX-License-Identifier: Apache-2.0
//
// What the transcripts, which hold each warning with its place, do not show.
#include "analysis/CheckKernels.h"

#include "analysis/SourceForm.h"
#include "frontend/DeviceModule.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::analysis {
namespace {

std::vector<std::string> idsIn(const std::string& functions) {
  auto module = frontend::parseDeviceModule(R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
)" + functions + R"(
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
)",
                                            "test");
  EXPECT_TRUE(module) << module.error().message;
  std::vector<std::string> ids;
  for (const profile::Finding& finding : checkKernels(*module->module, false)) {
    EXPECT_EQ(finding.kernel, "k");
    ids.push_back(finding.id);
  }
  return ids;
}

constexpr const char* oddThreads = R"(
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = and i32 %tid, 1
  %odd = icmp eq i32 %bit, 1
)";

TEST(CheckKernels, LooksIntoFunctionsThatKernelsCall) {
  const std::string inner =
      std::string("define void @inner(ptr %x) noinline {\n") + oddThreads + R"(
  br i1 %odd, label %then, label %end
then:
  store i32 %tid, ptr %x
  br label %end
end:
  ret void
}
)";
  const std::string calls = "define ptx_kernel void @k(ptr %x) {\n"
                            "  call void @inner(ptr %x)\n  ret void\n}\n";
  const std::string lone = "define ptx_kernel void @k(ptr %x) {\n  ret void\n}\n";
  EXPECT_EQ(idsIn(inner + calls), std::vector<std::string>{"heddle-divergent-branch"});
  EXPECT_TRUE(idsIn(inner + lone).empty());
}

TEST(CheckKernels, ABarrierAtTheJoinIsReachedByAll) {
  const std::string head = std::string("define ptx_kernel void @k(ptr %x) {\n") + oddThreads + R"(
  br i1 %odd, label %then, label %end
then:
)";
  const std::string within = "  call void @llvm.nvvm.barrier0()\n  br label %end\nend:\n"
                             "  store i32 0, ptr %x\n  call void @llvm.nvvm.barrier0()\n"
                             "  ret void\n}\n";
  const std::string behind = "  br label %end\nend:\n  call void @llvm.nvvm.barrier0()\n"
                             "  ret void\n}\n";
  const std::vector<std::string> ids = idsIn(head + within);
  EXPECT_EQ(std::ranges::count(ids, "heddle-divergent-barrier"), 1);
  EXPECT_TRUE(idsIn(head + behind).empty());
}

TEST(CheckKernels, EveryIdIsListedOnce) {
  std::vector<std::string> ids = findingIds();
  EXPECT_TRUE(std::ranges::is_sorted(ids));
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
}

TEST(SourceForm, TheCompilerDoesNotOptimise) {
  frontend::CompilerFlags flags;
  flags.level = "3";
  EXPECT_EQ(sourceFormFlags(flags).level, "0");
}

} // namespace
} // namespace heddle::analysis
