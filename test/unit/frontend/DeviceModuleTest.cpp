// SPDX-License-Identifier: Apache-2.0
#include "frontend/DeviceModule.h"

#include "analysis/LaunchBounds.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

TEST(PlainKernelName, IsWhatAPersonCallsTheFunction) {
  EXPECT_EQ(plainKernelName("_Z9transformPf"), "transform");
  EXPECT_EQ(plainKernelName("_Z5emptyIfLi32EEvPT_i"), "empty<float, 32>")
      << "void empty<float, 32>(float*, int)";
  EXPECT_EQ(plainKernelName("_ZN6heddle6detail3runEi"), "heddle::detail::run");
}

TEST(PlainKernelName, LeavesUnnamedNamespacesOut) {
  EXPECT_EQ(plainKernelName("_ZN12_GLOBAL__N_16nativeEPi"), "native");
  EXPECT_EQ(plainKernelName("_ZN12_GLOBAL__N_12in1tINS0_1SEEEvPi"), "in::t<in::S>");
}

TEST(PlainFunctionName, HasNoTemplateArguments) {
  EXPECT_EQ(plainFunctionName("_Z5emptyIfLi32EEvPT_i"), "empty");
  EXPECT_EQ(plainFunctionName("_ZN12_GLOBAL__N_12in1tINS0_1SEEEvPi"), "in::t");
  EXPECT_EQ(plainFunctionName("_ZN5QueueIiE4pushEi"), "Queue::push");
  EXPECT_EQ(plainFunctionName("transform"), "transform");
}

TEST(IsNameOf, TakesWhatAPersonMayWrite) {
  const std::string symbol = "_Z5emptyIfLi32EEvPT_i";
  for (const char* name : {"_Z5emptyIfLi32EEvPT_i", "empty", "empty<float, 32>", "empty<float,32>"})
    EXPECT_TRUE(isNameOf(name, symbol)) << name;
  for (const char* name : {"empt", "empty<float>", "empty<int, 32>", ""})
    EXPECT_FALSE(isNameOf(name, symbol)) << name;
}

TEST(PlainKernelName, KeepsTheClassButNotItsArguments) {
  EXPECT_EQ(plainKernelName("_ZN5QueueIiE4pushEi"), "Queue::push");
}

TEST(PlainKernelName, IsTheSymbolItselfWhereNothingWasMangled) {
  EXPECT_EQ(plainKernelName("transform"), "transform");
}

/// Clang has no attribute for it: it comes as an annotation.
TEST(ParseDeviceModule, ReadsTheClustersOfAKernel) {
  const char* text = R"(
@name = private constant [20 x i8] c"heddle.cluster_dims\00", section "llvm.metadata"
@file = private constant [5 x i8] c"a.cu\00", section "llvm.metadata"
@dims = private constant { i32, i32 } { i32 4, i32 2 }, section "llvm.metadata"
@other = private constant [6 x i8] c"other\00", section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @g, ptr @other, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @name, ptr @file, i32 2, ptr @dims }],
  section "llvm.metadata"
define void @k() { ret void }
define void @g() { ret void }
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
)";
  const auto module = parseDeviceModule(text, "a.ll");
  ASSERT_TRUE(module) << module.error().message;
  const auto clusterOf = [&](const char* name) {
    return analysis::launchBoundsOf(*module->module->getFunction(name)).cluster;
  };
  EXPECT_EQ(clusterOf("k"), (std::array<int, 3>{4, 2, 1}));
  EXPECT_EQ(clusterOf("g"), (std::array<int, 3>{0, 0, 0}));
}

} // namespace
} // namespace heddle::frontend
