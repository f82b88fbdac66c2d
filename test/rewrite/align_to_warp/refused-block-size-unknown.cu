// RUN: %refused fix %s --only align-to-warp --line 6 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__global__ void halves(float* out) {
  const unsigned t = threadIdx.x;
  float x = 1;
  if (t & 1)
    x = 2;
  out[t] = x;
}

// CHECK: align-to-warp refused: the launches have blocks of different or unknown sizes [block-size-unknown]
