// SPDX-License-Identifier: Apache-2.0
// COVERS: symbols, constant memory, cudaGetSymbolAddress, cudaMemcpyToSymbol, cudaMemcpyFromSymbol
// Constant and global variables of the device, by copies to symbols and by their addresses.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define CUDA_OK(x)                                                                                 \
  do {                                                                                             \
    cudaError_t e_ = (x);                                                                          \
    if (e_ != cudaSuccess) {                                                                       \
      printf("%d: %s\nFAIL\n", __LINE__, cudaGetErrorString(e_));                                  \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

struct Config {
  float weights[8];
  int count;
  double offset;
};

__constant__ Config config;
__constant__ int table[16] = {1, 2, 3, 5, 8};
__device__ int counter = 40;
__device__ float results[64];

__global__ void apply() {
  int i = threadIdx.x;
  float s = (float)config.offset;
  for (int k = 0; k < config.count; ++k)
    s += config.weights[k] * (i + k);
  results[i] = s + table[i % 16];
  atomicAdd(&counter, 1);
}

int main() {
  Config c = {{1, 2, 3, 4}, 4, -2.5};
  CUDA_OK(cudaMemcpyToSymbol(config, &c, sizeof c));
  int tail[3] = {13, 21, 34};
  CUDA_OK(cudaMemcpyToSymbol(table, tail, sizeof tail, 5 * sizeof(int)));
  apply<<<1, 64>>>();
  CUDA_OK(cudaGetLastError());
  int count;
  float out[64];
  CUDA_OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  CUDA_OK(cudaMemcpyFromSymbol(out, results, sizeof out));
  int want[16] = {1, 2, 3, 5, 8, 13, 21, 34}, bad = count != 104;
  for (int i = 0; i < 64; ++i) {
    float s = -2.5f;
    for (int k = 0; k < 4; ++k)
      s += (k + 1.0f) * (i + k);
    bad += out[i] != s + want[i % 16];
  }
  int* address;
  size_t size = 0;
  CUDA_OK(cudaGetSymbolAddress((void**)&address, counter));
  CUDA_OK(cudaGetSymbolSize(&size, results));
  bad += size != sizeof out;
  int seven = 7;
  CUDA_OK(cudaMemcpy(address, &seven, sizeof seven, cudaMemcpyHostToDevice));
  float part[4];
  CUDA_OK(cudaMemcpyFromSymbolAsync(part, results, sizeof part, 8 * sizeof(float),
                                    cudaMemcpyDeviceToHost, 0));
  CUDA_OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  CUDA_OK(cudaDeviceSynchronize());
  bad += count != 7;
  for (int i = 0; i < 4; ++i)
    bad += part[i] != out[8 + i];
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
