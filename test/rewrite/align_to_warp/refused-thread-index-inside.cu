// RUN: %refused fix %s --only align-to-warp --line 9 --block 256,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__device__ int own() {
  return threadIdx.x;
}
__global__ void halves(float* out) {
  const unsigned t = threadIdx.x;
  float x = own();
  if (t & 1)
    x = 2;
  out[t] = x;
}

// CHECK: align-to-warp refused: line {{[0-9]+}} calls own, which uses threadIdx [thread-index-inside]
