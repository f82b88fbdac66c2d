// SPDX-License-Identifier: Apache-2.0
// Registers limit the blocks that run together, and launch bounds limit registers.
#include "../check.h"

__global__ void small(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}

// 32 doubles stay in registers through the loop.
__device__ __forceinline__ void mix(double* a, int n) {
  double v[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) v[i] = a[threadIdx.x + 32 * i];
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    const double first = v[0];
#pragma unroll
    for (int i = 0; i < 31; ++i) v[i] = v[i] * 0.5 + v[i + 1];
    v[31] = v[31] * 0.5 + first;
  }
#pragma unroll
  for (int i = 0; i < 32; ++i) a[threadIdx.x + 32 * i] = v[i];
}

__global__ void large(double* a, int n) { mix(a, n); }
__global__ void __launch_bounds__(1024, 2) bounded(double* a, int n) { mix(a, n); }

template <class Kernel> int blocksOf(Kernel kernel, int threads) {
  int blocks = -1;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
  return blocks;
}

template <class Kernel> cudaFuncAttributes attributesOf(Kernel kernel) {
  cudaFuncAttributes attributes = {};
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  return attributes;
}

int main() {
  cudaDeviceProp device;
  CHECK_CUDA(cudaGetDeviceProperties(&device, 0));
  const int full = device.maxThreadsPerMultiProcessor / 256;
  expectTrue("a small kernel has few registers", attributesOf(small).numRegs <= 32);
  expectEqual("and fills the multiprocessor", blocksOf(small, 256), full);

  const int registers = attributesOf(large).numRegs;
  expectTrue("32 doubles take more than 64 registers", registers > 64 && registers <= 128);
  expectEqual("and nothing spills", attributesOf(large).localSizeBytes, size_t{0});
  expectEqual("so fewer blocks fit", blocksOf(large, 256),
              device.regsPerMultiprocessor / (256 * ((registers + 7) / 8 * 8)));

  expectTrue("bounds limit registers", attributesOf(bounded).numRegs <= 32);
  expectTrue("what does not fit spills", attributesOf(bounded).localSizeBytes >= 4 * 32);
  expectEqual("two blocks fit", blocksOf(bounded, 1024), 2);
  return finish();
}
