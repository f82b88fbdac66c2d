// SPDX-License-Identifier: Apache-2.0
// Bytes reinterpreted as floats at an odd offset.
// EXPECT: misaligned read of 4 bytes, the address is not a multiple of 4: out[threadIdx.x] = *(const float*)(bytes + 4 * threadIdx.x + 1);
// STOPS: which is no multiple of 4
#include <cuda_runtime.h>

__global__ void parse(const unsigned char* bytes, float* out) {
  out[threadIdx.x] = *(const float*)(bytes + 4 * threadIdx.x + 1); // HERE
}

int main() {
  unsigned char* bytes = nullptr;
  float* out = nullptr;
  cudaMalloc(&bytes, 256);
  cudaMalloc(&out, 128);
  cudaMemset(bytes, 0, 256);
  parse<<<1, 32>>>(bytes, out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
