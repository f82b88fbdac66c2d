// SPDX-License-Identifier: Apache-2.0
// COVERS: multiprocessor numbers
// Which multiprocessor a block runs on, as programs ask that count blocks of each or keep data for
// each. The threads of a block agree, and every number is below that of the device.
#include <cstdio>

__device__ __forceinline__ unsigned multiprocessor() {
  unsigned number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

__device__ __forceinline__ unsigned multiprocessors() {
  unsigned count;
  asm("mov.u32 %0, %%nsmid;" : "=r"(count));
  return count;
}

__global__ void count(int* blocks, int* apart, unsigned* most) {
  __shared__ unsigned first;
  const unsigned mine = multiprocessor();
  if (threadIdx.x == 0) {
    first = mine;
    atomicAdd(&blocks[mine], 1);
    atomicMax(most, multiprocessors());
  }
  __syncthreads();
  if (mine != first)
    atomicAdd(apart, 1);
}

int main() {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  const int grid = 3 * device.multiProcessorCount + 5;
  int *blocks = nullptr, *apart = nullptr, wrong = 0;
  unsigned* most = nullptr;
  cudaMallocManaged(&blocks, 1024 * sizeof(int));
  cudaMallocManaged(&apart, sizeof(int));
  cudaMallocManaged(&most, sizeof(unsigned));
  for (int i = 0; i < 1024; ++i)
    blocks[i] = 0;
  *apart = 0;
  *most = 0;
  count<<<grid, 96>>>(blocks, apart, most);
  wrong += cudaDeviceSynchronize() != cudaSuccess;
  int sum = 0, busy = 0;
  for (int i = 0; i < 1024; ++i) {
    sum += blocks[i];
    busy += blocks[i] > 0;
    wrong += unsigned(i) >= *most && blocks[i] != 0;
  }
  wrong += sum != grid || *apart != 0 || busy < 2;
  wrong += *most < unsigned(device.multiProcessorCount) || *most > 1024;
  std::printf("%d wrong\n%s\n", wrong, wrong == 0 ? "PASS" : "FAIL");
  return wrong == 0 ? 0 : 1;
}
