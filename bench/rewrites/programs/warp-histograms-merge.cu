// SPDX-License-Identifier: Apache-2.0
// Histogram of image tiles: each warp counts in its own bins, one thread merges them at the end.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BINS 32
#define WARPS 8
#define PER_BLOCK 2048

__global__ void tileHistogram(const unsigned char* pixels, int* histograms, int n) {
  __shared__ int bins[WARPS][BINS];
  int tid = threadIdx.x;
  for (int b = tid; b < WARPS * BINS; b += blockDim.x) bins[b / BINS][b % BINS] = 0;
  __syncthreads();
  int begin = blockIdx.x * PER_BLOCK;
  int end = min(begin + PER_BLOCK, n);
  for (int i = begin + tid; i < end; i += blockDim.x) {
    atomicAdd(&bins[tid / 32][pixels[i] >> 3], 1);
  }
  __syncthreads();
  if (tid == 0) {
    for (int b = 0; b < BINS; ++b) {
      int sum = 0;
      for (int w = 0; w < WARPS; ++w) sum += bins[w][b];
      histograms[blockIdx.x * BINS + b] = sum;
    }
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  int blocks = (n + PER_BLOCK - 1) / PER_BLOCK;
  std::vector<unsigned char> pixels(n);
  unsigned s = 31415;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    pixels[i] = static_cast<unsigned char>((i / 5000 + (s >> 26) + (s >> 18 & 63)) & 255);
  }
  unsigned char* dPixels;
  int* dHist;
  cudaMalloc(&dPixels, n);
  cudaMalloc(&dHist, size_t(blocks) * BINS * sizeof(int));
  cudaMemcpy(dPixels, pixels.data(), n, cudaMemcpyHostToDevice);
  tileHistogram<<<blocks, WARPS * 32>>>(dPixels, dHist, n);
  std::vector<int> hist(size_t(blocks) * BINS);
  cudaMemcpy(hist.data(), dHist, hist.size() * sizeof(int), cudaMemcpyDeviceToHost);
  long long weighted = 0, total = 0;
  for (size_t k = 0; k < hist.size(); ++k) {
    total += hist[k];
    weighted += 1LL * hist[k] * static_cast<long long>(k % 997);
  }
  std::printf("pixels %lld weighted %lld\n", total, weighted);
  cudaFree(dPixels);
  cudaFree(dHist);
  return 0;
}
