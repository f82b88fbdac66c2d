// SPDX-License-Identifier: Apache-2.0
// A warp meets with a mask that does not name its last lane.
// STOPS: lane 31 takes part, but the mask 0x7fffffff does not name it
#include <cuda_runtime.h>

__global__ void meet(int* out) {
  out[threadIdx.x] = threadIdx.x;
  __syncwarp(0x7fffffffu); // HERE
  out[threadIdx.x] += out[threadIdx.x ^ 1];
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 128);
  meet<<<1, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
