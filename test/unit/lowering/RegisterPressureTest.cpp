// SPDX-License-Identifier: Apache-2.0
//
// IR made by hand, whose live values can be counted. `fixed` and `slack` come on top of them from
// Volta on: docs/design/registers.md.
#include "lowering/registers/RegisterPressure.h"

#include "analysis/LaunchBounds.h"
#include "frontend/DeviceModule.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>

namespace heddle::lowering {
namespace {

constexpr int fixed = 3, slack = 3;
constexpr RegisterTarget h200{.computeCapability = 90, .free = 32};
constexpr RegisterTarget a100{.computeCapability = 80, .free = 32};
constexpr RegisterTarget g80{.computeCapability = 10, .free = 10};

constexpr const char* heading = R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare float @__nv_sinf(float)
declare i32 @vprintf(ptr, ptr)
)";

frontend::DeviceModule parse(const std::string& text) {
  auto module = frontend::parseDeviceModule(heading + text, "test");
  EXPECT_TRUE(module) << module.error().message;
  return *std::move(module);
}

int demand(const std::string& text, const RegisterTarget& target = a100) {
  const frontend::DeviceModule module = parse(text);
  return registerDemand(*module.module->getFunction("k"), target);
}

/// Loads `count` values of a type, one after the other volatile, then stores them backwards: all
/// are live at once.
std::string manyLive(int count, const std::string& type) {
  std::string text = "define void @k(ptr %p) {\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format("  %v{} = load volatile {}, ptr %p\n", i, type);
  for (int i = count - 1; i >= 0; --i)
    text += fmt::format("  store volatile {} %v{}, ptr %p\n", type, i);
  return text + "  ret void\n}\n";
}

TEST(RegisterPressure, AnEmptyKernelHasTheFixedOnes) {
  EXPECT_EQ(demand("define void @k() {\n ret void\n}\n"), fixed + slack);
  EXPECT_EQ(demand("define void @k() {\n ret void\n}\n", g80), 0);
}

TEST(RegisterPressure, ValuesThatAreLiveTogetherAdd) {
  const int pointer = 2; // %p, copied from the constant bank
  EXPECT_EQ(demand(manyLive(5, "i32")), fixed + slack + pointer + 5);
  EXPECT_EQ(demand(manyLive(5, "float")), fixed + slack + pointer + 5);
  EXPECT_EQ(demand(manyLive(5, "double")), fixed + slack + pointer + 10);
  EXPECT_EQ(demand(manyLive(5, "i64")), fixed + slack + pointer + 10);
  EXPECT_EQ(demand(manyLive(5, "ptr")), fixed + slack + pointer + 10);
  EXPECT_EQ(demand(manyLive(5, "<4 x float>")), fixed + slack + pointer + 20);
  EXPECT_EQ(demand(manyLive(5, "i8")), fixed + slack + pointer + 5);
}

TEST(RegisterPressure, PointersWereNarrowBefore20) {
  EXPECT_EQ(demand(manyLive(5, "ptr"), g80), 1 + 5);
  EXPECT_EQ(demand(manyLive(2, "double"), g80), 1 + 4);
}

TEST(RegisterPressure, RegistersThatCostNothingAreUsedUp) {
  // 24 live + 2 + 3 = 29: no room for all of the slack below 32; 40 go beyond, without slack
  EXPECT_EQ(demand(manyLive(24, "i32")), 32);
  EXPECT_EQ(demand(manyLive(40, "i32")), fixed + 2 + 40);
}

TEST(RegisterPressure, PredicatesAndConstantsTakeNone) {
  const std::string with = R"(
define void @k(ptr %p, i32 %n, float %f) {
  %a = load volatile i32, ptr %p
  %c = icmp slt i32 %a, %n
  %d = icmp slt i32 %a, 77
  %e = and i1 %c, %d
  %x = select i1 %e, i32 %n, i32 5
  store volatile i32 %x, ptr %p
  ret void
})";
  EXPECT_EQ(demand(with), fixed + slack + 2 + 1);
}

/// A value that lives across an if, whose sides need 1 and 6 more.
TEST(RegisterPressure, ADiamondTakesItsWorseSide) {
  std::string other;
  for (int i = 0; i < 6; ++i)
    other += fmt::format("  %b{} = load volatile i32, ptr %p\n", i);
  for (int i = 5; i >= 0; --i)
    other += fmt::format("  store volatile i32 %b{}, ptr %p\n", i);
  const std::string text = R"(
define void @k(ptr %p) {
  %kept = load volatile i32, ptr %p
  %c = icmp eq i32 %kept, 0
  br i1 %c, label %small, label %large
small:
  %s = load volatile i32, ptr %p
  store volatile i32 %s, ptr %p
  br label %join
large:
)" + other + R"(
  br label %join
join:
  %phi = phi i32 [ 1, %small ], [ 2, %large ]
  %sum = add i32 %phi, %kept
  store volatile i32 %sum, ptr %p
  ret void
})";
  EXPECT_EQ(demand(text), fixed + slack + 2 + 1 + 6);
}

/// `sums` values go around a loop, next to its counter. Neither order nor unrolling changes it.
std::string loopOf(int sums) {
  std::string phis, steps, stores;
  for (int i = 0; i < sums; ++i) {
    phis += fmt::format("  %s{0} = phi float [ 0.0, %entry ], [ %t{0}, %loop ]\n", i);
    steps += fmt::format("  %t{0} = fadd float %s{0}, %v\n", i);
    stores += fmt::format("  store volatile float %t{}, ptr %p\n", i);
  }
  return "define void @k(ptr %p, i32 %n) {\nentry:\n  br label %loop\nloop:\n" + phis +
         "  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
         "  %v = load volatile float, ptr %p\n" +
         steps +
         "  %next = add i32 %i, 1\n"
         "  %done = icmp eq i32 %next, %n\n"
         "  br i1 %done, label %exit, label %loop\nexit:\n" +
         stores + "  ret void\n}\n";
}

TEST(RegisterPressure, LoopCarriedValuesLiveThroughTheLoop) {
  const int around = 2 + 1; // the pointer, whose place the loaded value takes, and the counter
  EXPECT_EQ(demand(loopOf(4)), fixed + slack + around + 4);
  EXPECT_EQ(demand(loopOf(9)) - demand(loopOf(4)), 5);
}

/// A load in a counting loop: the compiler has four of them in flight, unless told not to.
TEST(RegisterPressure, SmallCountingLoopsAreUnrolled) {
  const auto loop = [](const char* metadata) {
    return std::string(R"(
define void @k(ptr %p, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %new, %loop ]
  %at = sext i32 %i to i64
  %from = getelementptr inbounds i32, ptr %p, i64 %at
  %v = load i32, ptr %from
  %new = add i32 %sum, %v
  %next = add nsw i32 %i, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit)") +
           metadata + R"(
exit:
  store i32 %new, ptr %out
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
)";
  };
  EXPECT_GE(demand(loop("")), demand(loop(", !llvm.loop !0")) + 3);
}

TEST(RegisterPressure, AddressesThatDifferByAConstantShareAPair) {
  const auto loads = [](int count, bool apart) {
    std::string text = "define void @k(ptr %p, i64 %n) {\n"
                       "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
    for (int i = 0; i < count; ++i)
      text += fmt::format("  %i{0} = {1} nsw i32 %t, {2}\n  %w{0} = sext i32 %i{0} to i64\n"
                          "  %a{0} = getelementptr inbounds i32, ptr %p, i64 %w{0}\n",
                          i, apart ? "mul" : "add", 2 * i + 3);
    for (int i = 0; i < count; ++i)
      text += fmt::format("  store volatile i32 0, ptr %a{}\n", i);
    for (int i = 0; i < count; ++i)
      text += fmt::format("  store volatile i32 0, ptr %a{}\n", i);
    return text + "  ret void\n}\n";
  };
  EXPECT_EQ(demand(loads(6, false)), demand(loads(1, false)));
  EXPECT_EQ(demand(loads(6, true)) - demand(loads(1, true)), 2 * 5);
}

TEST(RegisterPressure, MathFunctionsNeedRoomInside) {
  const auto with = [](const char* call) {
    return demand(fmt::format("define void @k(ptr %p) {{\n  %a = load volatile float, ptr %p\n"
                              "  %b = {}\n  store volatile float %b, ptr %p\n  ret void\n}}\n",
                              call));
  };
  EXPECT_GT(with("call float @__nv_sinf(float %a)"), with("fadd float %a, %a") + 5);
  EXPECT_GT(with("fdiv float %a, 3.0"), with("fadd float %a, %a"));
}

std::string caller(const char* callee, const char* call) {
  return fmt::format(R"(
{}
define void @k(ptr %p) {{
  %kept = load volatile i32, ptr %p
  {}
  store volatile i32 %kept, ptr %p
  ret void
}})",
                     callee, call);
}

TEST(RegisterPressure, CallsAddWhatLivesAcrossThem) {
  std::string body = "define i32 @f(i32 %x) noinline {\n";
  for (int i = 0; i < 9; ++i)
    body += fmt::format("  %v{} = load volatile i32, ptr @g\n", i);
  for (int i = 8; i >= 0; --i)
    body += fmt::format("  store volatile i32 %v{}, ptr @g\n", i);
  body += "  ret i32 %x\n}\n@g = global i32 0\n";
  const int inside = 9 + 1 + 2; // its values, %x and the address of @g
  const int across = 1;
  EXPECT_EQ(demand(caller(body.c_str(), "%r = call i32 @f(i32 1)")),
            fixed + slack + across + inside);
}

TEST(RegisterPressure, CallsOfUnknownCodeGoByTheAbi) {
  EXPECT_EQ(demand(caller("", "%r = call i32 @vprintf(ptr null, ptr null)")), 24);
  EXPECT_EQ(demand(caller("define i32 @f(i32 %x) noinline {\n  %r = call i32 @f(i32 %x)\n"
                          "  ret i32 %r\n}\n",
                          "%r = call i32 @f(i32 1)")),
            24);
}

TEST(LaunchBounds, ComeFromTheAnnotations) {
  const frontend::DeviceModule module = parse(R"(
define void @k() {
  ret void
}
define void @other() {
  ret void
}
!nvvm.annotations = !{!0, !1, !2, !3, !4}
!0 = !{ptr @k, !"kernel", i32 1}
!1 = !{ptr @k, !"maxntidx", i32 64}
!2 = !{ptr @k, !"maxntidy", i32 4, !"minctasm", i32 3}
!3 = !{ptr @k, !"maxnreg", i32 40}
!4 = !{ptr @other, !"kernel", i32 1}
)");
  const analysis::LaunchBounds bounds = analysis::launchBoundsOf(*module.module->getFunction("k"));
  EXPECT_EQ(bounds.threads, 256);
  EXPECT_EQ(bounds.blocks, 3);
  EXPECT_EQ(bounds.registers, 40);
  EXPECT_EQ(analysis::launchBoundsOf(*module.module->getFunction("other")).threads, 0);
}

/// Far below the time that compiling such a kernel takes.
TEST(RegisterPressure, LargeKernelsTakeLinearTime) {
  std::string text = "define void @k(ptr %p) {\n  %v0 = load float, ptr %p\n";
  constexpr int instructions = 30'000;
  for (int i = 1; i < instructions; ++i)
    text += fmt::format("  %v{} = fadd float %v{}, %v{}\n", i, i - 1, i / 2);
  text += fmt::format("  store float %v{}, ptr %p\n  ret void\n}}\n", instructions - 1);
  const frontend::DeviceModule module = parse(text);
  const std::clock_t start = std::clock(); // time of a processor: others may use it, too
  EXPECT_GT(registerDemand(*module.module->getFunction("k"), h200), 255);
  EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 5);
}

} // namespace
} // namespace heddle::lowering
