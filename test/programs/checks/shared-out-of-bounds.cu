// SPDX-License-Identifier: Apache-2.0
// A stencil without its halo: the last thread reads past the shared array.
// EXPECT: out of bounds read of 4 bytes in shared memory, past all shared memory of the block: out[t] = tile[t] + tile[t + 1];
// STOPS: 0 bytes after the end of the block's shared memory (4096 bytes)
#include <cuda_runtime.h>

__global__ void stencil(const float* in, float* out) {
  extern __shared__ float tile[];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[t] + tile[t + 1]; // HERE
}

int main() {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 1024 * sizeof(float));
  cudaMalloc(&out, 1024 * sizeof(float));
  cudaMemset(in, 0, 1024 * sizeof(float));
  stencil<<<1, 1024, 1024 * sizeof(float)>>>(in, out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
