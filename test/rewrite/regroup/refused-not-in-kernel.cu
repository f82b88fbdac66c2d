// RUN: %refused fix %s --only regroup --line 5 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__device__ float shrink(float x) {
  while (x > 0.1f) {
    if (x > 10)
      x *= 0.3f;
    else
      x *= 0.9f;
    if (x == 5)
      return 5;
  }
  return x;
}
__global__ void all(float* out) {
  const int i = threadIdx.x;
  out[i] = shrink(out[i]);
}

// CHECK: regroup refused: the loop is in shrink, and a kernel must hold it itself; it cannot be moved there: shrink returns from within: let it return at its end alone [not-in-kernel]
