// SPDX-License-Identifier: Apache-2.0
//
// What every part of the library knows of a warp.
#pragma once

#include <cuda_runtime.h>

namespace heddle {
namespace detail {

constexpr unsigned all_lanes = 0xffffffffu;
constexpr int warp_lanes = 32;

/// The number of this thread in its warp.
__device__ inline int lane_id() {
  return static_cast<int>((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) %
                          warp_lanes);
}

} // namespace detail
} // namespace heddle
