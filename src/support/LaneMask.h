// SPDX-License-Identifier: Apache-2.0
//
// Sets of lanes of one warp. Bit l stands for lane l; a warp has 32 lanes on every NVIDIA GPU so
// far.
#pragma once

#include <cstdint>

namespace heddle {

inline constexpr int warpSize = 32;

using LaneMask = std::uint32_t;

inline constexpr LaneMask allLanes = 0xffffffffu;

/// Number of lanes in a mask. Written out because plain x86-64 has no population count instruction
/// and std::popcount would become a library call there, in the hottest loop we have.
constexpr int countLanes(LaneMask mask) {
  mask -= (mask >> 1) & 0x55555555u;
  mask = (mask & 0x33333333u) + ((mask >> 2) & 0x33333333u);
  mask = (mask + (mask >> 4)) & 0x0f0f0f0fu;
  return static_cast<int>((mask * 0x01010101u) >> 24);
}

} // namespace heddle
