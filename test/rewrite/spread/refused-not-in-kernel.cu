// RUN: %refused fix %s --only spread --block 64 --unproven > %t
// RUN: FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
//
// Called twice, so that its body cannot take the place of a call.
__device__ int sum(const int* v, int n) {
  int x = 0;
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [not-in-kernel]
  if (threadIdx.x == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [not-in-kernel]
    for (int k = 0; k < n; ++k)
      x += v[k];
  return x;
}

__global__ void twice(const int* v, int* out, int n) { out[threadIdx.x] = sum(v, n) + sum(v + n, n); }
