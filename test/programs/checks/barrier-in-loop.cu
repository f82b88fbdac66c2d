// SPDX-License-Identifier: Apache-2.0
// A barrier in a loop that runs more often in some threads than in others.
// EXPECT: barrier not reached by all threads, the others have left the loop and wait at the next one: __syncthreads();
// STOPS: not all threads of the block reach this barrier
#include <cuda_runtime.h>

__global__ void uneven(int* out, const int* turns) {
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  for (int i = 0; i < turns[threadIdx.x]; ++i) {
    atomicAdd(&sum, 1);
    __syncthreads(); // HERE
  }
  out[threadIdx.x] = -1;
  __syncthreads();
  out[threadIdx.x] = sum;
}

int main() {
  int *out = nullptr, *turns = nullptr, host[64];
  for (int i = 0; i < 64; ++i)
    host[i] = 2 + i % 3;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&turns, sizeof host);
  cudaMemcpy(turns, host, sizeof host, cudaMemcpyHostToDevice);
  uneven<<<1, 64>>>(out, turns);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
