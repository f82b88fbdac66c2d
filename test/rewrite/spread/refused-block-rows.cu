// RUN: %refused fix %s --only spread --block 16,4 --unproven > %t
// RUN: FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
__global__ void sum(const int* v, int* out, int n) {
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [block-rows]
  if (threadIdx.x == 0) {
    int x = 0;
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [block-rows]
    for (int k = 0; k < n; ++k)
      x += v[k];
    *out = x;
  }
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} asks for threadIdx.x and threadIdx.y apart [block-rows]
  if (threadIdx.x == 0 && n > 3 && threadIdx.y == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [block-rows]
    for (int k = 0; k < n; ++k)
      out[k] = v[k];
}
