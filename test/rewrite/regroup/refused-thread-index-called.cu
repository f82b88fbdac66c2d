// RUN: %refused fix %s --only regroup --line 10 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__device__ int own() {
  return threadIdx.x;
}
__global__ void shrink(float* out, float eps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i;
  while (x > 0.1f) {
    if (x > 10) {
      x *= 0.3f;
    } else {
      x *= 1.0f / (2 + own());
    }
  }
  out[i] = x;
}

// CHECK: regroup refused: line {{[0-9]+}} calls own, which uses threadIdx [thread-index-inside]
