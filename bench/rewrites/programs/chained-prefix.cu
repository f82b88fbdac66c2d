// SPDX-License-Identifier: Apache-2.0
// Prefix sum in one launch: a block waits for the total of the block before it.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BLOCK 512

__device__ unsigned ticket = 0;

__global__ void prefix(const int* in, int* out, volatile int* carry, volatile int* ready,
                       int n) {
  __shared__ int tile[BLOCK];
  __shared__ unsigned mine;
  if (threadIdx.x == 0) mine = atomicAdd(&ticket, 1u);
  __syncthreads();
  int b = mine;
  int i = b * BLOCK + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    if (b > 0) {
      while (ready[b - 1] == 0) {
      }
      __threadfence();
      sum = carry[b - 1];
    }
    for (int k = 0; k < BLOCK; ++k) {
      sum += tile[k];
      tile[k] = sum;
    }
    carry[b] = sum;
    __threadfence();
    ready[b] = 1;
  }
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 100000;
  int blocks = (n + BLOCK - 1) / BLOCK;
  std::vector<int> v(n);
  unsigned s = 1990;
  for (int& x : v) {
    s = s * 1664525u + 1013904223u;
    x = static_cast<int>((s >> 16) % 21) - 10;
  }
  int *dIn, *dOut, *dCarry, *dReady;
  cudaMalloc(&dIn, n * sizeof(int));
  cudaMalloc(&dOut, n * sizeof(int));
  cudaMalloc(&dCarry, blocks * sizeof(int));
  cudaMalloc(&dReady, blocks * sizeof(int));
  cudaMemcpy(dIn, v.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(dReady, 0, blocks * sizeof(int));
  prefix<<<blocks, BLOCK>>>(dIn, dOut, dCarry, dReady, n);
  cudaMemcpy(v.data(), dOut, n * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int x : v) sum += x;
  std::printf("last %d sum %lld\n", v[n - 1], sum);
  cudaFree(dIn);
  cudaFree(dOut);
  cudaFree(dCarry);
  cudaFree(dReady);
  return 0;
}
