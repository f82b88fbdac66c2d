// RUN: %heddle fix %s --only regroup --line 30 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// RUN: cp %s %t.cu && patch -s %t.cu %t.diff
// RUN: %heddle run %s | grep result: > %t.before
// RUN: %heddle run %t.cu | grep result: > %t.after && diff %t.before %t.after
// SPDX-License-Identifier: Apache-2.0
//
// A thread that returns before the loop is done at once; one that returns in it takes that along. The loop's
// first part, an array and a declaration of its body travel, what all threads have in common does not.
#include <cstdio>

__device__ float uniform(unsigned& seed) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) * (1.0f / 16777216.0f);
}

template <class T>
__global__ void walk(const unsigned* seeds, T* out, int n, int steps, T scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T half = scale / 2;
  if (i >= n)
    return;
  // where it begins
  unsigned seed = seeds[i];
  T x = 0;
  T path[3];
  path[1] = path[2] = 0;
  path[0] = uniform(seed);
  for (int k = seed % 5; k < steps; ++k) { // its walk
    const T u = uniform(seed);
    if (u < half) {
      x += u * scale;
      if (x > 30)
        return;
      path[k % 3] += x;
    } else if (u > T(0.9)) {
      if (u > T(0.99))
        break;
      for (int j = 0; j < 5; ++j)
        x = sqrtf(fabsf(x) + j);
    } else {
      continue;
    }
    x += u * 1e-3f;
  }
  out[i] = x + path[0] + path[1] - path[2];
}

int main() {
  const int n = 1000; // the last block is not full
  unsigned* seeds;
  float* out;
  cudaMallocManaged(&seeds, n * sizeof(unsigned));
  cudaMallocManaged(&out, n * sizeof(float));
  for (int i = 0; i < n; ++i) {
    seeds[i] = 2654435761u * (i + 1);
    out[i] = -1;
  }
  walk<float><<<(n + 127) / 128, 128>>>(seeds, out, n, 60, 1.0f);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  unsigned hash = 0;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    unsigned bits;
    __builtin_memcpy(&bits, &out[i], 4);
    hash = hash * 31 + bits;
    sum += out[i];
  }
  printf("result: %08x %g\n", hash, sum);
}

// CHECK: #include {{<}}heddle/regroup.cuh>
// CHECK: -  const int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT: +  int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK: +  const bool hasReturned = i >= n;
// CHECK-NEXT: +  unsigned seed{};
// CHECK-NEXT: +  T x{};
// CHECK-NEXT: +  T path[3]{};
// CHECK-NEXT: +  int k{};
// CHECK-NEXT: +  if (!hasReturned) {
// CHECK-NEXT: +    // where it begins
// CHECK-NEXT: +    seed = seeds[i];
// CHECK-NEXT: +    x = 0;
// CHECK-NEXT: +    path[1] = path[2] = 0;
// CHECK-NEXT: +    path[0] = uniform(seed);
// CHECK-NEXT: +    k = seed % 5;
// CHECK-NEXT: }
// CHECK-NEXT: +  assert(blockDim.x == 128);
// CHECK-NEXT: +  struct State { int i; unsigned seed; T x; int k; bool hasReturned; T path[3]; T u; };
// CHECK-NEXT: +  State state{i, seed, x, k, hasReturned};
// CHECK-NEXT: +  memcpy(state.path, path, sizeof path);
// CHECK-NEXT: +  heddle::regrouped_loop<128, 3, State>(
// CHECK-NEXT: +      state,
// CHECK-NEXT: +      [&](State& state) {
// CHECK-NEXT: +        auto& [i, seed, x, k, hasReturned, path, u] = state;
// CHECK-NEXT: +        if (hasReturned)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        if (k >= steps)
// CHECK: +  if (state.hasReturned)
// CHECK-NEXT: +    return;
// CHECK-NEXT: +  i = state.i;
// CHECK-NEXT: +  x = state.x;
// CHECK-NEXT: +  memcpy(path, state.path, sizeof path);
// CHECK-NEXT: out[i] = x
