// RUN: %refused fix %s --only regroup --line 8 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__global__ void shrink(float* out, float eps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i;
  float* const p = &x;
  while (x > 0.1f) {
    if (x > 10) {
      *p *= 0.3f;
    } else {
      x *= 0.9f;
    }
  }
  out[i] = x;
}

// CHECK: regroup refused: x in line {{[0-9]+}} has its address kept somewhere [state-cannot-travel]
