// SPDX-License-Identifier: Apache-2.0
// COVERS: occupancy queries, cudaFuncGetAttributes, cudaOccupancyMaxPotentialBlockSize,
// cudaFuncSetCacheConfig Block sizes chosen by the runtime, with and without shared memory that
// grows with the block.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

__global__ void square(int* array, int n) {
  extern __shared__ int scratch[];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    array[i] *= array[i];
}

struct SharedFor {
  size_t perThread;
  __host__ __device__ size_t operator()(int block) const { return block * perThread; }
};

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10000;
  cudaDeviceProp prop;
  if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess)
    return puts("FAIL"), 1;
  int block = 0, minGrid = 0, active = 0, large = 0, variable = 0, variableGrid = 0;
  cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, (void*)square, 0, n);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, square, block, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&large, square, block, prop.sharedMemPerBlock);
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&variableGrid, &variable, square, SharedFor{64});
  size_t available = 0;
  cudaOccupancyAvailableDynamicSMemPerBlock(&available, (const void*)square, 1, 128);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, square);
  cudaFuncSetCacheConfig(square, cudaFuncCachePreferL1);
  int* d;
  int* h = (int*)malloc(n * sizeof(int));
  for (int i = 0; i < n; ++i)
    h[i] = i % 1000;
  cudaMalloc(&d, n * sizeof(int));
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
  square<<<(n + block - 1) / block, block>>>(d, n);
  cudaError_t e = cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  double occupancy = (double)active * block / prop.maxThreadsPerMultiProcessor;
  fprintf(stderr, "block %d, grid at least %d, occupancy %.0f%%, %d registers\n", block, minGrid,
          occupancy * 100, attributes.numRegs);
  bool ok = e == cudaSuccess && block > 0 && block <= prop.maxThreadsPerBlock &&
            block % prop.warpSize == 0 && minGrid > 0 && active > 0 && occupancy > 0 &&
            occupancy <= 1.0 && large > 0 && large <= active && variable > 0 &&
            variable * 64u <= prop.sharedMemPerMultiprocessor && available > 0 &&
            attributes.maxThreadsPerBlock >= block && attributes.numRegs > 0 &&
            attributes.sharedSizeBytes == 0;
  for (int i = 0; i < n; ++i)
    ok = ok && h[i] == (i % 1000) * (i % 1000);
  cudaFree(d);
  free(h);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
