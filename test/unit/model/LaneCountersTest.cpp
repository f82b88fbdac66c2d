// SPDX-License-Identifier: Apache-2.0
#include "model/LaneCounters.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::model {
namespace {

TEST(LaneCounters, CountLikeThirtyTwoIntegers) {
  for (const std::uint32_t n : {1u, 2u, 3u, 7u, 8u, 100u, 1000u}) {
    LaneCounters counters(n);
    std::array<std::uint32_t, warpSize> plain{};
    LaneMask live = allLanes;
    std::uint32_t random = n;
    while (live != 0) {
      random = random * 1664525u + 1013904223u;
      const LaneMask lanes = (random ^ random >> 13) & live;
      LaneMask finished = 0;
      for (int lane = 0; lane < warpSize; ++lane)
        if ((lanes >> lane & 1) != 0 && ++plain[std::size_t(lane)] == n)
          finished |= LaneMask{1} << lane;
      ASSERT_EQ(counters.add(lanes), finished) << n;
      live &= ~finished;

      std::uint32_t least = n;
      for (int lane = 0; lane < warpSize; ++lane)
        if ((live >> lane & 1) != 0)
          least = std::min(least, plain[std::size_t(lane)]);
      LaneMask behind = 0;
      for (int lane = 0; lane < warpSize; ++lane)
        if ((live >> lane & 1) != 0 && plain[std::size_t(lane)] == least)
          behind |= LaneMask{1} << lane;
      ASSERT_EQ(counters.least(live), behind) << n;
    }
  }
}

} // namespace
} // namespace heddle::model
