// SPDX-License-Identifier: Apache-2.0
// More than 48 KiB of dynamic shared memory, after cudaFuncSetAttribute has asked for it.
#include <algorithm>

#include "../check.h"

__global__ void run(unsigned* out, int words) {
  extern __shared__ unsigned tile[];
  for (int i = threadIdx.x; i < words; i += blockDim.x)
    tile[i] = i * 2654435761u + blockIdx.x;
  __syncthreads();
  unsigned sum = 0;
  for (int i = threadIdx.x; i < words; i += blockDim.x)
    sum ^= tile[words - 1 - i] >> (i & 7);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  int most = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  const int bytes = std::min(most, 96 * 1024), words = bytes / 4, threads = 256;
  CHECK_CUDA(cudaFuncSetAttribute(run, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  DeviceArray<unsigned> out(2 * threads);
  run<<<2, threads, bytes>>>(out, words);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [=](size_t n) {
    unsigned sum = 0;
    for (int i = int(n) % threads; i < words; i += threads)
      sum ^= ((words - 1 - i) * 2654435761u + unsigned(n) / threads) >> (i & 7);
    return sum;
  });
  return finish();
}
