// SPDX-License-Identifier: Apache-2.0
// A kernel reads an array that was freed before the launch.
// EXPECT: read of 4 bytes from freed global memory: sum += values[i];
// STOPS: which has been freed
#include <cuda_runtime.h>

__global__ void add(const int* values, int n, int* result) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += values[i]; // HERE
  *result = sum;
}

int main() {
  int *values = nullptr, *result = nullptr;
  cudaMalloc(&values, 256);
  cudaMalloc(&result, sizeof(int));
  cudaMemset(values, 0, 256);
  cudaFree(values);
  add<<<1, 1>>>(values, 64, result);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
