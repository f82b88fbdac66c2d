// SPDX-License-Identifier: Apache-2.0
// Occupancy queries: within the limits of the device, fewer blocks with more shared memory, the
// suggested block size runs.
#include "../check.h"

__global__ void scale(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] *= 2.0f;
}
__global__ void tiled(float* values) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  cudaDeviceProp p;
  CHECK_CUDA(cudaGetDeviceProperties(&p, 0));
  for (int threads : {32, 64, 128, 256, 512, 1024}) {
    int blocks = -1, more = -1;
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, threads, 0));
    expectTrue("at least one block, at most the threads there are",
               blocks >= 1 && blocks * threads <= p.maxThreadsPerMultiProcessor);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&more, tiled, threads, 40 * 1024));
    expectTrue("shared memory bounds the blocks",
               more >= 1 && more <= int(p.sharedMemPerMultiprocessor / (40 * 1024)));
  }
  int blocks = 0, threads = 0;
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, scale, 0, 0));
  expectTrue("a block size", threads >= 32 && threads <= p.maxThreadsPerBlock && threads % 32 == 0);
  expectTrue("whole multiprocessors",
             blocks >= p.multiProcessorCount && blocks % p.multiProcessorCount == 0);
  int limited = 0;
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&blocks, &limited, scale, 0, 100));
  expectTrue("a block size under a limit", limited >= 32 && limited <= 100);
  const int n = 5000;
  DeviceArray<float> values(std::vector<float>(n, 1.5f));
  scale<<<(n + threads - 1) / threads, threads>>>(values, n);
  CHECK_LAUNCH();
  expectArray("values", values.read(), [](size_t) { return 3.0f; });
  return finish();
}
