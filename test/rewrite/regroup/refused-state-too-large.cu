// RUN: %refused fix %s --only regroup --line 8 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__global__ void shrink(float* out, float eps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i, row[20];
  row[0] = x;
  while (x > 0.1f) {
    if (x > 10) {
      x *= 0.3f;
    } else {
      row[i % 20] = x *= 0.9f;
    }
  }
  out[i] = row[3];
}

// CHECK: regroup refused: row in line {{[0-9]+}} is an array of 80 bytes; at most 64 travel well [state-too-large]
