// SPDX-License-Identifier: Apache-2.0
// A function is given a variable's address and goes past its end: there is a gap to the next one.
// EXPECT: out of bounds write of 4 bytes, 0 bytes past the variable counts: counts[i] += 1
// STOPS: 0 bytes after the end of variable 'counts' (64 bytes)
#include <cuda_runtime.h>

__device__ unsigned counts[16];
__device__ unsigned others[16];

__device__ __noinline__ void raise(unsigned* of, int i) {
  of[i] += 1; // HERE
}

__global__ void count() {
  raise(threadIdx.x % 2 ? others : counts, threadIdx.x / 2);
}

int main() {
  count<<<1, 33>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
