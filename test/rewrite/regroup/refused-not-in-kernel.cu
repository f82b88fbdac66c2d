// RUN: %refused fix %s --only regroup --line 5 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__device__ float shrink(float x) {
  while (x > 0.1f) {
    if (x > 10)
      x *= 0.3f;
    else
      x *= 0.9f;
  }
  return x;
}
__global__ void all(float* out) {
  out[threadIdx.x] = shrink(out[threadIdx.x]);
}

// CHECK: regroup refused: the loop is in shrink, and a kernel must hold it itself [not-in-kernel]
