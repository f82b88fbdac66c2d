// RUN: %refused fix %s --only align-to-warp --line 4 --block 256,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__device__ float half() {
  if (threadIdx.x % 2)
    return 2;
  return 1;
}
__global__ void halves(float* out) {
  out[threadIdx.x] = half();
}

// CHECK: align-to-warp refused: the branch is in half, and a kernel must hold it itself; it cannot be moved there: half returns from within: let it return at its end alone [not-in-kernel]
