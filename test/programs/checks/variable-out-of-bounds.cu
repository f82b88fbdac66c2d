// SPDX-License-Identifier: Apache-2.0
// An index one too far: a __device__ array lies beside another one on a GPU, which reads that.
// EXPECT: out of bounds read of 4 bytes, 4 bytes past the variable first: first[i]
// STOPS: 4 bytes after the end of variable 'first' (32 bytes)
#include <cuda_runtime.h>

__device__ int first[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int second[8] = {10, 20, 30, 40, 50, 60, 70, 80};

__global__ void add(int* sum, int i) {
  const int other = second[i % 8];
  *sum = other + first[i]; // HERE
}

int main() {
  int* sum = nullptr;
  cudaMalloc(&sum, sizeof(int));
  add<<<1, 1>>>(sum, 9);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
