// RUN: %refused fix %s --only align-to-warp --line 6 --block 256,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__global__ void halves(float* out) {
  const unsigned t = threadIdx.x;
  float x = 1;
  if (t & 1)
    x = 2;
  const uint3 all = threadIdx;
  x += all.x;
  out[t] = x;
}

// CHECK: align-to-warp refused: line {{[0-9]+}} takes all of threadIdx: take its x [thread-index-inside]
