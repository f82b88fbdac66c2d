// SPDX-License-Identifier: Apache-2.0
#include "advise/Verdict.h"

#include <gtest/gtest.h>

namespace heddle::advise {
namespace {

TEST(Verdict, WhatIsWithdrawnIsRefusedAndLeavesNothing) {
  Fix fix;
  fix.candidates = {{.rewrite = "regroup", .applies = true, .reason = "pays"},
                    {.rewrite = "predicate", .id = "does-not-pay", .reason = "no"}};
  fix.applied = {fix.candidates.front()};
  fix.before.seconds = 2;
  fix.after.seconds = 1;
  fix.diff = "+++";
  fix.proof = {.equal = true, .runs = 3, .nvcc = NvccVerdict::Refuses, .nvccVersion = "13.0"};
  withdraw(fix, "nvcc-refuses", "an error");
  EXPECT_FALSE(fix.candidates[0].applies);
  EXPECT_EQ(fix.candidates[0].id, "nvcc-refuses");
  EXPECT_EQ(fix.candidates[0].reason, "an error");
  EXPECT_EQ(fix.candidates[1].id, "does-not-pay") << "was refused before";
  EXPECT_EQ(fix.candidates[1].reason, "no");
  EXPECT_TRUE(fix.applied.empty());
  EXPECT_TRUE(fix.diff.empty());
  EXPECT_EQ(fix.before.seconds, 0);
  EXPECT_EQ(fix.after.seconds, 0);
  EXPECT_FALSE(fix.proof.equal);
  EXPECT_EQ(fix.proof.runs, 0);
  EXPECT_EQ(fix.proof.nvcc, NvccVerdict::Refuses) << "what nvcc said stays";
  EXPECT_EQ(fix.proof.nvccVersion, "13.0");
}

} // namespace
} // namespace heddle::advise
