// SPDX-License-Identifier: Apache-2.0
//
// A direction that is turned. No sum here has a plain product as a term: see tissue.cuh.
#pragma once

#include <cmath>

namespace transport {

struct Direction {
  float x, y, z; ///< of length 1
};

/// Turns by an angle with this cosine, and by `around` of a full circle about the old direction.
__device__ inline Direction turned(const Direction& from, float cosine, float around) {
  const float sine = sqrtf(fmaxf(fmaf(-cosine, cosine, 1.0f), 0.0f));
  float sinAround, cosAround;
  sincosf(6.283185307f * around, &sinAround, &cosAround);
  const float level = sqrtf(fmaxf(fmaf(-from.z, from.z, 1.0f), 0.0f));
  if (level < 1e-3f) // upright: any direction is as good as another
    return {sine * cosAround, sine * sinAround, copysignf(cosine, from.z * cosine)};
  const float across = sine / level;
  return {fmaf(across, fmaf(from.x * from.z, cosAround, -(from.y * sinAround)), from.x * cosine),
          fmaf(across, fmaf(from.y * from.z, cosAround, from.x * sinAround), from.y * cosine),
          fmaf(-(sine * cosAround), level, from.z * cosine)};
}

} // namespace transport
