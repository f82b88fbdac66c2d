// RUN: %refused fix %s --only refill --line 7 --block 64,1,1 --unproven > %t && FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
//
// A function that is called twice cannot be moved into the kernel.
__device__ void apply(int* out, int i) {
  // CHECK: :[[#@LINE+1]]: refill refused: the branch is in apply, and a kernel must hold it itself; it cannot be moved there: {{.*}} [not-in-kernel]
  while (out[i] < 9)
    ++out[i];
}

__global__ void both(int* out) {
  apply(out, threadIdx.x);
  apply(out, threadIdx.x + 64);
}
