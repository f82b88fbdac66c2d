// SPDX-License-Identifier: Apache-2.0
#include "frontend/DeviceModule.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

TEST(PlainKernelName, IsWhatAPersonCallsTheFunction) {
  EXPECT_EQ(plainKernelName("_Z9transformPf"), "transform");
  EXPECT_EQ(plainKernelName("_Z5emptyIfLi32EEvPT_i"), "empty")
      << "void empty<float, 32>(float*, int)";
  EXPECT_EQ(plainKernelName("_ZN6heddle6detail3runEi"), "heddle::detail::run");
}

TEST(PlainKernelName, LeavesUnnamedNamespacesOut) {
  EXPECT_EQ(plainKernelName("_ZN12_GLOBAL__N_16nativeEPi"), "native");
  EXPECT_EQ(plainKernelName("_ZN12_GLOBAL__N_12in1tINS0_1SEEEvPi"), "in::t");
}

TEST(PlainKernelName, KeepsTheClassButNotItsArguments) {
  EXPECT_EQ(plainKernelName("_ZN5QueueIiE4pushEi"), "Queue::push");
}

TEST(PlainKernelName, IsTheSymbolItselfWhereNothingWasMangled) {
  EXPECT_EQ(plainKernelName("transform"), "transform");
}

} // namespace
} // namespace heddle::frontend
