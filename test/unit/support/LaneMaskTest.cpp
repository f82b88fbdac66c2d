// SPDX-License-Identifier: Apache-2.0
#include "support/LaneMask.h"

#include <gtest/gtest.h>

#include <bit>

namespace heddle {
namespace {

TEST(LaneMask, CountsLanesAsPopcountDoes) {
  static_assert(countLanes(0) == 0);
  static_assert(countLanes(allLanes) == warpSize);
  std::uint32_t mask = 1;
  for (int i = 0; i < 100'000; ++i) {
    mask = mask * 1664525u + 1013904223u;
    ASSERT_EQ(countLanes(mask), std::popcount(mask)) << std::hex << mask;
  }
}

} // namespace
} // namespace heddle
