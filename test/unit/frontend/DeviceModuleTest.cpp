// SPDX-License-Identifier: Apache-2.0
#include "frontend/DeviceModule.h"

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

} // namespace
} // namespace heddle::frontend
