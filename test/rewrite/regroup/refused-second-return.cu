// RUN: %refused fix %s --only regroup --line 11 --block 128,1,1 --unproven > %t && FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
//
// Where all others return as well, those beyond n would wait in the loop for them.
__global__ void shrink(float* out, float eps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (eps > 1) return;
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

// CHECK: regroup refused: line 8 returns for some threads of a block, and line 9 perhaps for all others [divergent-entry]
