// SPDX-License-Identifier: Apache-2.0
// All 32 lanes shuffle with a mask that names the first 16: what the others get is not defined.
// STOPS: lane 16 takes part, but the mask 0x0000ffff does not name it
#include <cuda_runtime.h>

__global__ void spread(int* out) {
  const int i = threadIdx.x;
  out[i] = __shfl_sync(0xffffu, i, 0, 16); // HERE
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 128);
  spread<<<1, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
