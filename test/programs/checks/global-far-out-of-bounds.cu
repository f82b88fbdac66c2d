// SPDX-License-Identifier: Apache-2.0
// An index that is not checked sends one lane gigabytes away.
// EXPECT: out of bounds read of 4 bytes, no allocation there: out[i] = in[index[i]];
// STOPS: in no live memory
#include <cuda_runtime.h>

__global__ void gather(const float* in, const long long* index, float* out) {
  const int i = threadIdx.x;
  out[i] = in[index[i]]; // HERE
}

int main() {
  float *in = nullptr, *out = nullptr;
  long long *index = nullptr, host[32] = {};
  host[17] = 1ll << 40;
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 128);
  cudaMalloc(&index, sizeof host);
  cudaMemset(in, 0, 128);
  cudaMemcpy(index, host, sizeof host, cudaMemcpyHostToDevice);
  gather<<<1, 32>>>(in, index, out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
