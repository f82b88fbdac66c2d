// SPDX-License-Identifier: Apache-2.0
// A vote of all lanes in a loop that some lanes have left already.
// EXPECT: vote whose mask names lanes that do not take part: while (__any_sync(0xffffffffu, left > 0)) {
// STOPS: the mask 0xffffffff names lane 0, which does not take part
#include <cuda_runtime.h>

__global__ void count(int* out) {
  const int lane = threadIdx.x;
  int left = lane, turns = 0;
  while (__any_sync(0xffffffffu, left > 0)) { // HERE
    --left;
    ++turns;
    if (left < -8)
      break; // the others still wait for this lane's vote
  }
  out[lane] = turns;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(int));
  count<<<1, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
