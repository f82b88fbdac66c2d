// RUN: %refused fix %s --only regroup --line 10 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__global__ void shrink(float* out, float eps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < i; ++k)
    if (out[k] < 0)
      return;
  float x = i;
  while (x > 0.1f) {
    if (x > 10) {
      x *= 0.3f;
    } else {
      x *= 0.9f + eps;
    }
  }
  out[i] = x;
}

// CHECK: regroup refused: line {{[0-9]+}} returns for some threads of a block, and all must reach the loop [divergent-entry]
