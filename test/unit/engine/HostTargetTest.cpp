// SPDX-License-Identifier: Apache-2.0
#include "engine/HostTarget.h"

#include <gtest/gtest.h>

namespace heddle::engine {
namespace {

using Words = std::vector<std::string>;

TEST(HostTarget, WhatAHypervisorHidesIsNotUsed) {
  const llvm::Triple arm("aarch64-unknown-linux-gnu");
  EXPECT_EQ(hiddenFeatures(arm, {{"neon", true}, {"lse", true}}), (Words{"-sve", "-sve2"}));
  EXPECT_EQ(hiddenFeatures(arm, {{"neon", true}, {"lse", true}, {"sve", true}, {"sve2", true}}),
            Words{});
  EXPECT_EQ(hiddenFeatures(llvm::Triple("x86_64-unknown-linux-gnu"), {{"sse2", true}}), Words{});
}

} // namespace
} // namespace heddle::engine
