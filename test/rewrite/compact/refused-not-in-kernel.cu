// RUN: %refused fix %s --only compact --line 7 --block 64,1,1 --unproven > %t && FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
//
// A function that is called twice cannot be moved into the kernel.
__device__ void apply(int* out, int i) {
  // CHECK: :[[#@LINE+1]]: compact refused: the branch is in apply, and a kernel must hold it itself; it cannot be moved there: {{.*}} [not-in-kernel]
  if (out[i])
    out[i] = 3;
}

__global__ void both(int* out) {
  apply(out, threadIdx.x);
  apply(out, threadIdx.x + 64);
}
