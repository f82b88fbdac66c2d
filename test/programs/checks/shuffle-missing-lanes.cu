// SPDX-License-Identifier: Apache-2.0
// A shuffle inside a branch whose mask names all 32 lanes, while only 20 take part.
// EXPECT: shuffle whose mask names lanes that do not take part, mask 0xffffffff, active 0x000fffff: sum += __shfl_down_sync(0xffffffffu, sum, offset);
// STOPS: the mask 0xffffffff names lane 20, which does not take part
#include <cuda_runtime.h>

__global__ void reduce(const int* in, int* out, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    int sum = in[i];
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, offset); // HERE
    if (i == 0)
      *out = sum;
  } else {
    out[1] = i;
  }
  __syncthreads(); // keeps the others from having returned, which would be fine
  out[2 + i] = i;
}

int main() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 34 * sizeof(int));
  cudaMemset(in, 0, 128);
  reduce<<<1, 32>>>(in, out, 20);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
