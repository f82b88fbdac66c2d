// SPDX-License-Identifier: Apache-2.0
// Four floats at once, from an address that is a multiple of 4 only.
// STOPS: thread (0,0,0) of block (0,0,0) reads 16 bytes at
#include <cuda_runtime.h>

__global__ void shift(const float* from, float4* to) {
  to[threadIdx.x] = *reinterpret_cast<const float4*>(from + 4 * threadIdx.x + 1); // HERE
}

int main() {
  float *from = nullptr, *to = nullptr;
  cudaMalloc(&from, 1024);
  cudaMalloc(&to, 512);
  cudaMemset(from, 0, 1024);
  shift<<<1, 32>>>(from, reinterpret_cast<float4*>(to));
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
