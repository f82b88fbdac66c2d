// SPDX-License-Identifier: Apache-2.0
#include "engine/DeviceProgram.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::engine {
namespace {

/// A kernel that has `count` values in registers at once, with the bounds of @bounded.
std::string manyLive(int count) {
  std::string body = "(ptr %p) {\n";
  for (int i = 0; i < count; ++i)
    body += fmt::format("  %v{} = load volatile i32, ptr %p\n", i);
  for (int i = count - 1; i >= 0; --i)
    body += fmt::format("  store volatile i32 %v{}, ptr %p\n", i);
  body += "  ret void\n}\n";
  return "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
         "target triple = \"nvptx64-nvidia-cuda\"\n"
         "define void @plain" +
         body + "define void @bounded" + body + R"(
!nvvm.annotations = !{!0, !1, !2, !3}
!0 = !{ptr @plain, !"kernel", i32 1}
!1 = !{ptr @bounded, !"kernel", i32 1}
!2 = !{ptr @bounded, !"maxntidx", i32 1024}
!3 = !{ptr @bounded, !"minctasm", i32 1}
)";
}

std::unique_ptr<DeviceProgram> load(const std::string& text) {
  auto module = frontend::parseDeviceModule(text, "test");
  EXPECT_TRUE(module) << module.error().message;
  auto program = DeviceProgram::load(*std::move(module));
  EXPECT_TRUE(program) << program.error().message;
  return *std::move(program);
}

constexpr RegisterRules h200{.target = {.computeCapability = 90, .free = 32}};

TEST(RegisterUse, WhatExceedsTheLimitSpills) {
  const auto program = load(manyLive(100));
  const profile::RegisterUse all = *program->registerUse("plain", h200);
  EXPECT_EQ(all.registers, 100 + 2 + 3); // values, pointer, fixed
  EXPECT_EQ(all.spillBytes, 0);
  EXPECT_EQ(all.source.text(), "estimate");
  RegisterRules fermi{.target = {.computeCapability = 20, .free = 20}, .most = 63};
  const profile::RegisterUse old = *program->registerUse("plain", fermi);
  EXPECT_EQ(old.registers, 63);
  EXPECT_EQ(old.spillBytes, 4 * (100 + 2 + 1 - 63));
}

TEST(RegisterUse, LaunchBoundsAreKnown) {
  const auto program = load(manyLive(100));
  EXPECT_EQ(program->launchBounds("plain")->threads, 0);
  EXPECT_EQ(program->launchBounds("bounded")->threads, 1024);
  EXPECT_EQ(program->launchBounds("bounded")->blocks, 1);
  RegisterRules capped = h200;
  capped.most = 64;
  const profile::RegisterUse use = *program->registerUse("bounded", capped);
  EXPECT_EQ(use.registers, 64);
  EXPECT_EQ(use.spillBytes, 4 * (100 + 2 + 3 - 64));
  EXPECT_FALSE(program->registerUse("missing", h200));
}

/// Each thread copies `count` values, the last one first, to where the others may still lie.
std::string turnAround(int count) {
  std::string text = "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
                     "target triple = \"nvptx64-nvidia-cuda\"\n"
                     "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                     "define void @k(ptr %p, ptr %q) {\n"
                     "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                     "  %w = zext i32 %t to i64\n"
                     "  %own = getelementptr inbounds float, ptr %p, i64 %w\n"
                     "  %to = getelementptr inbounds float, ptr %q, i64 %w\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format("  %a{0} = getelementptr inbounds i8, ptr %own, i64 {1}\n"
                        "  %v{0} = load float, ptr %a{0}\n",
                        i, 128 * i);
  for (int i = 0; i < count; ++i)
    text += fmt::format("  %b{0} = getelementptr inbounds i8, ptr %to, i64 {1}\n"
                        "  store float %v{0}, ptr %b{0}\n",
                        i, 128 * (count - 1 - i));
  return text + "  ret void\n}\n!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n";
}

/// One kernel alone may be further off than the mean that bench/registers holds to 4.
TEST(RegisterUse, EstimateAndPtxasAgree) {
  if (!frontend::findPtxas())
    GTEST_SKIP() << "no ptxas in PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda";
  RegisterRules asking = h200;
  asking.askPtxas = true;
  asking.useCache = false;
  for (const int count : {1, 4, 16, 40, 100}) {
    const profile::RegisterUse estimated = *load(turnAround(count))->registerUse("k", h200);
    const profile::RegisterUse found = *load(turnAround(count))->registerUse("k", asking);
    EXPECT_EQ(found.source.text(), "ptxas");
    EXPECT_LE(std::abs(found.registers - estimated.registers), 4 + found.registers / 5)
        << count << " values: ptxas " << found.registers << ", estimate " << estimated.registers;
  }
}

TEST(RegisterUse, AnotherGpuThatStandsInIsNamed) {
  if (!frontend::findPtxas())
    GTEST_SKIP() << "no ptxas in PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda";
  const auto program = load(manyLive(4));
  RegisterRules between{.target = {.computeCapability = 91, .free = 32}, .askPtxas = true};
  between.useCache = false;
  const std::string source = program->registerUse("plain", between)->source.text();
  EXPECT_TRUE(source == "estimate" || source.starts_with("ptxas sm_")) << source;
  RegisterRules tesla{.target = {.computeCapability = 10, .free = 10}, .askPtxas = true};
  EXPECT_EQ(program->registerUse("plain", tesla)->source.text(), "estimate");
}

} // namespace
} // namespace heddle::engine
