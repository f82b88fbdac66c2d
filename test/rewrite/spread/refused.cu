// RUN: %refused fix %s --only spread --block 64 --unproven > %t
// RUN: FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
//
// One of each kind, in the order of the source.
#define FIRST (threadIdx.x == 0)

__device__ void keep(int* p, int k) { p[k] = k; }

__global__ void ofOne(const int* start, const int* v, int* out, int n) {
  const int t = int(threadIdx.x), r = int(blockIdx.x * blockDim.x) + t;
  __shared__ int part[64];
  int x = 0, local[4] = {};
  // CHECK: :[[#@LINE+1]]: spread refused: the branch does not let in one thread of a warp [not-one-thread]
  if (t < 2) {
    // CHECK: :[[#@LINE+1]]: spread refused: the branch does not let in one thread of a warp [not-one-thread]
    for (int k = 0; k < n; ++k)
      x += v[k];
  }
  // CHECK: :[[#@LINE+1]]: spread refused: the branch in line [[#@LINE+1]] holds no loop of its own [not-one-thread]
  if (t == 0)
    out[0] = x;
  // CHECK: :[[#@LINE+1]]: spread refused: the branch in line [[#@LINE+1]] has an else [has-else]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [has-else]
    for (int k = 0; k < n; ++k)
      x += v[k];
  else
    x = 3;
  // CHECK: :[[#@LINE+1]]: spread refused: line [[#@LINE+4]] has a loop behind code that only one thread may run [code-before]
  if (t == 0) {
    const int place = atomicAdd(out + 1, n);
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [code-before]
    for (int k = 0; k < n; ++k)
      x += v[k + place];
  }
  // CHECK: :[[#@LINE+1]]: spread refused: the loop in line [[#@LINE+3]] reads its bounds by the thread's own number [bounds-of-thread]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [bounds-of-thread]
    for (int k = start[r]; k < start[r + 1]; ++k)
      x += v[k];
  // CHECK: :[[#@LINE+1]]: spread refused: the condition in line [[#@LINE+1]] reads {{.*}} [bounds-of-thread]
  if (t == 0 && v[r] > 3)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [bounds-of-thread]
    for (int k = 0; k < n; ++k)
      x += v[k];
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [loop-form]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [loop-form]
    for (int k = n; k > 0; k /= 2)
      x += v[k];
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [bounds-change]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [bounds-change]
    for (int k = 0; k < x; ++k)
      x -= v[k];
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [counter-used-behind]
  if (t == 0) {
    int k = 0;
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [counter-used-behind]
    for (; k < n; ++k)
      x += v[k];
    out[k] = x;
  }
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [carried-over]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [carried-over]
    for (int k = 0; k < n; ++k)
      x = x * 3 + v[k];
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [ends-early]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [ends-early]
    for (int k = 0; k < n; ++k)
      // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [ends-early]
      if (v[k])
        return;
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [not-its-place]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [not-its-place]
    for (int k = 1; k < n; ++k)
      out[k] = out[k - 1] * 3 + v[k];
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [order-of-atomics]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [order-of-atomics]
    for (int k = 1; k < n; ++k)
      atomicExch(&out[v[k]], k);
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [own-value-unfit]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [own-value-unfit]
    for (int k = 1; k < n; ++k)
      out[k] = local[k & 3];
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [thread-index-inside]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [thread-index-inside]
    for (int k = 1; k < n; ++k)
      out[k] = int(threadIdx.x);
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [macro-in-the-way]
  if (FIRST)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [macro-in-the-way]
    for (int k = 1; k < n; ++k)
      out[k] = k;
  // What is added must not be what the same item has stored.
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [carried-over]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [carried-over]
    for (int k = 0; k < 64; ++k) {
      part[k] = x;
      x += part[k];
    }
  // The sum is rounded each time.
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [carried-over]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [carried-over]
    for (int k = 0; k < 64; ++k) {
      x += 0.5f * v[k];
      part[k] = x;
    }
  // Lanes would read the bound that the one thread has just written.
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [bounds-of-thread]
  if (t == 0) {
    part[3] = n;
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [bounds-of-thread]
    for (int k = 0; k < part[3]; ++k)
      x += v[k];
  }
  // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [not-its-place]
  if (t == 0)
    // CHECK: :[[#@LINE+1]]: spread refused: {{.*}} [not-its-place]
    for (int k = 0; k < n; ++k) {
      part[0] += v[k];
      out[k] = part[k];
    }
  out[r] = x + part[t];
}
