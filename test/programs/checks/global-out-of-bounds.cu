// SPDX-License-Identifier: Apache-2.0
// A loop bound off by one: the last thread writes one element past the end of its array.
// EXPECT: out of bounds write of 4 bytes, 0 bytes past a global allocation of 400 bytes: out[i] = i;
// STOPS: 0 bytes after the end of cudaMalloc #1 (400 bytes)
#include <cuda_runtime.h>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    out[i] = i; // HERE
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 100 * sizeof(int));
  fill<<<4, 32>>>(out, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
