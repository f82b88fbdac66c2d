// SPDX-License-Identifier: Apache-2.0
#include "machine/ComputeCapability.h"

#include "machine/SmLimits.h"

#include <gtest/gtest.h>

namespace heddle::machine {
namespace {

TEST(ComputeCapability, ReadsEverySpelling) {
  for (const char* text : {"9.0", "cc9.0", "sm_90", "compute_90", "cc90"})
    EXPECT_EQ(*parseComputeCapability(text), (ComputeCapability{9, 0})) << text;
  EXPECT_EQ(*parseComputeCapability("sm_120"), (ComputeCapability{12, 0}));
  EXPECT_EQ(*parseComputeCapability("12.1"), (ComputeCapability{12, 1}));
}

TEST(ComputeCapability, LeavesNamesAlone) {
  for (const char* text : {"h200", "90", "gtx280", "9.", "cc", "cc9.0.1", "9.0x", ""})
    EXPECT_FALSE(looksLikeComputeCapability(text)) << text;
}

TEST(ComputeCapability, UnknownOnesAreRefusedWithTheKnownOnes) {
  const std::string message = findSmLimits({4, 2}).error().message;
  EXPECT_NE(message.find("no compute capability 4.2; known: 1.0 1.1"), std::string::npos)
      << message;
}

TEST(SmLimits, CoverEveryGenerationInOrder) {
  const auto all = allSmLimits();
  EXPECT_EQ(all.front().computeCapability, (ComputeCapability{1, 0}));
  EXPECT_EQ(all.back().computeCapability, (ComputeCapability{12, 1}));
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_LT(all[i - 1].computeCapability, all[i].computeCapability);
}

} // namespace
} // namespace heddle::machine
