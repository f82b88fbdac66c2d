// SPDX-License-Identifier: Apache-2.0
// A barrier that half of the threads never reach: the others go on to another one.
// EXPECT: barrier not reached by all threads, 16 of 64 wait here, the others elsewhere: __syncthreads();
// STOPS: not all threads of the block reach this barrier
#include <cuda_runtime.h>

__global__ void halves(int* out) {
  __shared__ int slots[64];
  slots[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 16)
    __syncthreads(); // HERE
  out[threadIdx.x] = slots[63 - threadIdx.x];
  __syncthreads();
  out[threadIdx.x] += slots[threadIdx.x];
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  halves<<<1, 64>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
