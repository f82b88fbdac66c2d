// SPDX-License-Identifier: Apache-2.0
// Each lane votes with a mask of its own; the last one names its neighbours and not itself.
// STOPS: lane 31 takes part, but its mask does not name it
#include <cuda_runtime.h>

__global__ void neighbours(unsigned* out) {
  const int i = threadIdx.x;
  const unsigned mask = i < 31 ? 0xffffffffu : 0x7fffffffu;
  out[i] = __ballot_sync(mask, i % 3 == 0); // HERE
}

int main() {
  unsigned* out = nullptr;
  cudaMalloc(&out, 128);
  neighbours<<<1, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
