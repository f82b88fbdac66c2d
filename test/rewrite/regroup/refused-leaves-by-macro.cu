// RUN: %refused fix %s --only regroup --line 9 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
#define STOP_IF(condition) \
  if (condition)           \
  break

__global__ void shrink(float* out) {
  float x = threadIdx.x + 2;
  while (x > 0.1f) {
    x *= 0.9f;
    STOP_IF(x < 0.3f);
  }
  out[blockIdx.x] = x;
}

// CHECK: regroup refused: line 11 leaves the loop's body in a macro [macro-in-the-way]
