// SPDX-License-Identifier: Apache-2.0
// A stack of a thread that is never popped grows far beyond its array.
// EXPECT: out of bounds write of 4 bytes in local memory: stack[top++] = x;
// STOPS: far outside the thread's local memory
#include <cuda_runtime.h>

__global__ void push(const int* in, int* out, int n) {
  int stack[16], top = 0;
  for (int i = 0; i < n; ++i) {
    const int x = in[i];
    if (x > 0)
      stack[top++] = x; // HERE
  }
  int sum = 0;
  while (top > 0)
    sum += stack[--top];
  *out = sum;
}

int main() {
  const int n = 1 << 20;
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  push<<<1, 1>>>(in, out, n);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
