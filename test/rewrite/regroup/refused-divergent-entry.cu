// RUN: %refused fix %s --only regroup --line 7 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__global__ void shrink(float* out, float eps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i;
  if (i % 2 == 0) while (x > 0.1f) {
    if (x > 10) {
      x *= 0.3f;
    } else {
      x *= 0.9f + eps;
    }
  }
  out[i] = x;
}

// CHECK: regroup refused: not all threads of a block reach the loop, which line {{[0-9]+}} decides [divergent-entry]
