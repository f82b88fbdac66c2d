// SPDX-License-Identifier: Apache-2.0
// A barrier of all blocks in a grid larger than what can be resident.
// EXPECT: deadlock across blocks, all resident blocks wait for blocks that cannot start: while (*(volatile unsigned*)arrived < gridDim.x)
// STOPS: blocks that have not started cannot
#include <cuda_runtime.h>

__global__ void barrier(unsigned* arrived, int* out) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (*(volatile unsigned*)arrived < gridDim.x) // HERE
      ;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = 1;
}

int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  const int blocks = properties.multiProcessorCount * 2 + 1; // at most two of 1024 threads on each
  unsigned* arrived = nullptr;
  int* out = nullptr;
  cudaMalloc(&arrived, sizeof *arrived);
  cudaMalloc(&out, blocks * sizeof(int));
  cudaMemset(arrived, 0, sizeof *arrived);
  barrier<<<blocks, 1024>>>(arrived, out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
