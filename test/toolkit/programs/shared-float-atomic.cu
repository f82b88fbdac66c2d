// SPDX-License-Identifier: Apache-2.0
// A sum of floats in shared memory by atomicAdd, which in machine code is a loop of the lanes that
// collide: all of them.
#include <cstdio>

__global__ void sumUp(const float* values, int n, float* sums) {
  __shared__ float sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&sum, values[i]);
  __syncthreads();
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}

int main() {
  const int n = 65536;
  float *values = nullptr, *sums = nullptr;
  cudaMalloc(&values, n * sizeof(float));
  cudaMalloc(&sums, n / 256 * sizeof(float));
  cudaMemset(values, 0, n * sizeof(float));
  sumUp<<<n / 256, 256>>>(values, n, sums);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
