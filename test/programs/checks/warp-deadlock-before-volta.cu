// SPDX-License-Identifier: Apache-2.0
// A naive lock within a warp: whoever has it waits at the end of the loop for those who spin. Volta
// lets it go on, older GPUs hang.
// EXPECT: with one stack per warp, the lane that has the lock waits for the lanes that spin: while (atomicCAS(&lock, 0, 1) != 0)
// STOPS: of its warp wait for it at the join
// FLAGS: --reconvergence stack
#include <cstdio>
#include <cuda_runtime.h>

__device__ int lock;
__device__ volatile int counter;

__global__ void take() {
  while (atomicCAS(&lock, 0, 1) != 0) // HERE
    ;
  counter = counter + 1;
  __threadfence();
  atomicExch(&lock, 0);
}

int main() {
  take<<<1, 32>>>();
  int count = 0;
  if (cudaMemcpyFromSymbol(&count, counter, sizeof count) != cudaSuccess || count != 32)
    return 1;
  std::puts("PASS");
}
