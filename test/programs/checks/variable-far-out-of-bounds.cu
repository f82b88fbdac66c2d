// SPDX-License-Identifier: Apache-2.0
// An index far outside its __constant__ table, in the middle of another variable: the message names
// the table.
// EXPECT: out of bounds read of 2 bytes, 200 bytes past the variable table: table[i]
// STOPS: 200 bytes after the end of variable 'table' (64 bytes)
#include <cuda_runtime.h>

__constant__ short table[32];
__device__ short large[4096];

__global__ void look(short* found, int i) {
  large[threadIdx.x] = i;
  found[threadIdx.x] = table[i]; // HERE
}

int main() {
  short* found = nullptr;
  cudaMalloc(&found, 32 * sizeof(short));
  look<<<1, 32>>>(found, 132);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
