// RUN: %refused fix %s --only regroup --line 6 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__global__ void shrink(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i;
  while (__syncthreads_or(x > 0.1f))
    x *= 0.9f;
  out[i] = x;
}

// CHECK: regroup refused: {{.*}} [barrier-inside]
