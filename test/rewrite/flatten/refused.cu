// RUN: %refused fix %s --only flatten --unproven > %t
// RUN: FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
//
// One of each kind, in the order of the source.
#define LEAVE_IF(condition) if (condition) break

__global__ void loops(int* out, int n) {
  int x = out[threadIdx.x], s = 2;
  // CHECK: :[[#@LINE+1]]: flatten refused: the branch is no loop in another loop [not-nested]
  for (int i = 0; i < n; ++i)
    // CHECK: :[[#@LINE+1]]: flatten refused: the branch is no loop in another loop [not-nested]
    if (x > i)
      x -= i;
  for (int i = 0; i < n; ++i) {
    if (x > 3) {
      // CHECK: :[[#@LINE+1]]: flatten refused: the loop in line [[#@LINE+1]] stands in another statement of the loop in line [[#@LINE-2]] [loop-in-a-branch]
      while (x > 0)
        x -= i;
    }
  }
  for (int i = 0; i < n; ++i) {
    int& y = out[i];
    // CHECK: :[[#@LINE+1]]: flatten refused: line [[#@LINE-1]] declares y, a reference, which cannot be set later [unhoistable-declaration]
    for (int k = 0; k < x; ++k)
      y += k;
  }
  for (int i = 0; i < n; i += s) {
    // CHECK: :[[#@LINE+1]]: flatten refused: line [[#@LINE+3]] declares s, and the loop uses another variable of that name [unhoistable-declaration]
    for (int k = 0; k < x; ++k)
      ++x;
    const int s = x;
    out[i] = s;
  }
  for (int i = 0; i < n; ++i) {
    // CHECK: :[[#@LINE+1]]: flatten refused: line [[#@LINE+1]] declares i, and the loop uses another variable of that name [unhoistable-declaration]
    for (int i = 0; i < x; ++i)
      ++x;
  }
  for (int i = 0; i < n; ++i) {
    // CHECK: :[[#@LINE+1]]: flatten refused: the inner loop's condition declares left [unhoistable-declaration]
    while (int left = x - i)
      x -= left;
  }
  for (int i = 0; i < n; ++i) {
    // CHECK: :[[#@LINE+1]]: flatten refused: line [[#@LINE+2]] leaves the loop's body in a macro [macro-in-the-way]
    while (x > i) {
      LEAVE_IF(x == 7);
      --x;
    }
  }
  for (int i = 0; i < n; ++i) {
    // CHECK: :[[#@LINE+1]]: flatten refused: line [[#@LINE+2]] calls __syncthreads, {{.*}} [barrier-inside]
    for (int k = 0; k < x; ++k)
      __syncthreads();
  }
  out[threadIdx.x] = x;
}
