// RUN: %refused fix %s --only regroup --line 11 --block 1024,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
struct Big {
  float of[12];
};
__global__ void shrink(Big* out, float eps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Big big = out[i];
  float x = i;
  while (x > 0.1f) {
    if (x > 10) {
      x *= 0.3f;
    } else {
      big.of[i % 12] = x *= 0.9f;
    }
  }
  out[i] = big;
}

// CHECK: regroup refused: {{[0-9]+}} bytes a thread and the kernel's own take {{[0-9]+}} bytes of a block's shared memory, more than 49152; use smaller blocks [state-too-large]
