// RUN: %refused fix %s --only spread --unproven > %t
// RUN: FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
__global__ void sum(const int* v, int* out, int n) {
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [block-size-unknown]
  if (threadIdx.x == 0) {
    int x = 0;
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [block-size-unknown]
    for (int k = 0; k < n; ++k)
      x += v[k];
    *out = x;
  }
}
