// SPDX-License-Identifier: Apache-2.0
// Trap 3: a program sizes its grid by the multiprocessors and threads the device reports, and its
// blocks wait for each other: all of them must be there at once and make progress.
#include "../check.h"

__global__ void everyone(volatile unsigned* arrived, unsigned* seen) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) {
    atomicAdd((unsigned*)arrived, 1u);
    while (*arrived < gridDim.x)
      ;
    count = *arrived;
  }
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1)
    seen[blockIdx.x] = count;
}

int main() {
  cudaDeviceProp p;
  CHECK_CUDA(cudaGetDeviceProperties(&p, 0));
  const int threads = 512;
  const int blocks = p.multiProcessorCount * (p.maxThreadsPerMultiProcessor / threads);
  DeviceArray<unsigned> arrived(std::vector<unsigned>(1, 0)), seen(blocks);
  everyone<<<blocks, threads>>>(arrived, seen);
  CHECK_LAUNCH();
  expectArray("blocks seen", seen.read(), [=](size_t) { return unsigned(blocks); });
  return finish();
}
