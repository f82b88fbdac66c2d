// RUN: %refused fix %s --only align-to-warp --line 6 --block 256,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__global__ void halves(float* out) {
  const unsigned t = threadIdx.x;
  float x = 1;
  if (t > 7)
    x = 2;
  out[t] = x;
}

// CHECK: align-to-warp refused: the branch does not take threadIdx.x modulo a constant below 32 [not-on-thread-index]
