// SPDX-License-Identifier: Apache-2.0
// A loop that one lane never leaves, since its step is zero; an instruction budget ends it.
// EXPECT: instruction budget used up in a loop: at = (at + step) % 64;
// STOPS: has run more than 1000000 warp-instructions
// FLAGS: --max-instructions 1000000
// NOWHERE: the message stands for the whole kernel
#include <cuda_runtime.h>

__global__ void orbit(int* out, const int* steps) {
  const int step = steps[threadIdx.x];
  int at = 1, turns = 0;
  while (at != 0) {
    at = (at + step) % 64; // HERE
    ++turns;
  }
  out[threadIdx.x] = turns;
}

int main() {
  int *out = nullptr, *steps = nullptr, host[32];
  for (int i = 0; i < 32; ++i)
    host[i] = i == 9 ? 0 : 2 * i + 1;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&steps, sizeof host);
  cudaMemcpy(steps, host, sizeof host, cudaMemcpyHostToDevice);
  orbit<<<1, 32>>>(out, steps);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
