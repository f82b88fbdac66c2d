// SPDX-License-Identifier: Apache-2.0
// A lock taken by spinning on atomicCAS, by all lanes of a warp and by many blocks: the counter it
// guards is exact.
#include "../check.h"

__device__ int lock;
__device__ volatile int counter;
__device__ int locks[8];
__device__ volatile int balances[8];

__global__ void naive(int turns) {
  for (int i = 0; i < turns; ++i) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    __threadfence();
    counter = counter + 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
}

// The form that works on every GPU: whoever gets the lock does the work inside the loop.
__global__ void transfer() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int account = i % 8;
  bool done = false;
  while (!done) {
    if (atomicCAS(&locks[account], 0, 1) == 0) {
      __threadfence();
      balances[account] = balances[account] + i;
      __threadfence();
      atomicExch(&locks[account], 0);
      done = true;
    }
  }
}

int main() {
  naive<<<1, 32>>>(2);
  CHECK_LAUNCH();
  int count = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  expectEqual("counter by one warp", count, 64);
  naive<<<4, 32>>>(1);
  CHECK_LAUNCH();
  CHECK_CUDA(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  expectEqual("counter by four blocks", count, 64 + 128);
  transfer<<<4, 64>>>();
  CHECK_LAUNCH();
  int got[8] = {};
  CHECK_CUDA(cudaMemcpyFromSymbol(got, balances, sizeof got));
  for (int a = 0; a < 8; ++a) {
    int want = 0;
    for (int i = a; i < 256; i += 8)
      want += i;
    expectEqual("balance", got[a], want);
  }
  return finish();
}
