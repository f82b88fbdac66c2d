// SPDX-License-Identifier: Apache-2.0
// Sums the tiles of an image that a tile map marks as active, with a tree in shared memory.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define THREADS 256

__global__ void tileSums(const int* pixels, const char* active, int* sums, int n) {
  __shared__ int part[THREADS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (active[blockIdx.x]) {
    part[threadIdx.x] = i < n ? pixels[i] * 3 + 1 : 0;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s >>= 1) {
      if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
      __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  int tiles = (n + THREADS - 1) / THREADS;
  std::vector<int> pixels(n), sums(tiles);
  std::vector<char> active(tiles);
  unsigned s = 61;
  for (int& p : pixels) {
    s = s * 1664525u + 1013904223u;
    p = s >> 24;
  }
  for (char& a : active) {
    s = s * 1664525u + 1013904223u;
    a = (s >> 20) % 4 == 0;
  }
  int *dPixels, *dSums;
  char* dActive;
  cudaMalloc(&dPixels, n * sizeof(int));
  cudaMalloc(&dSums, tiles * sizeof(int));
  cudaMalloc(&dActive, tiles);
  cudaMemcpy(dPixels, pixels.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dActive, active.data(), tiles, cudaMemcpyHostToDevice);
  cudaMemset(dSums, 0, tiles * sizeof(int));
  tileSums<<<tiles, THREADS>>>(dPixels, dActive, dSums, n);
  cudaMemcpy(sums.data(), dSums, tiles * sizeof(int), cudaMemcpyDeviceToHost);
  long long total = 0;
  for (int v : sums) total += v;
  std::printf("total %lld\n", total);
  cudaFree(dPixels);
  cudaFree(dSums);
  cudaFree(dActive);
  return 0;
}
