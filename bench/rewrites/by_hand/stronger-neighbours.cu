// SPDX-License-Identifier: Apache-2.0
// Counts for every vertex the neighbours with higher priority (first step of a colouring).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

class Graph {
 public:
  std::vector<int> offset, target;
  Graph(int n, unsigned seed) : offset(n + 1, 0) {
    std::mt19937 gen(seed);
    std::uniform_real_distribution<double> u(0.0, 1.0);
    for (int v = 0; v < n; ++v) {
      double d = 3.0 * std::pow(1.0 - u(gen), -0.8);
      offset[v + 1] = offset[v] + static_cast<int>(std::min(d, 8000.0));
    }
    target.resize(offset[n]);
    for (int& t : target) t = static_cast<int>(gen() % n);
  }
};

__device__ unsigned priority(unsigned v) {
  v ^= v >> 16;
  v *= 0x45d9f3bu;
  v ^= v >> 16;
  return v;
}

const int LANES = 8;

__global__ void countStronger(const int* offset, const int* target, int* count, int n) {
  int v = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
  int lane = threadIdx.x % LANES;
  int end = v < n ? offset[v + 1] : 0;
  unsigned mine = priority(v);
  int stronger = 0;
  for (int e = v < n ? offset[v] + lane : 0; e < end; e += LANES) {
    int w = target[e];
    if (w != v) stronger += priority(w) > mine ? 1 : 0;
  }
  for (int d = LANES / 2; d > 0; d /= 2) stronger += __shfl_down_sync(~0u, stronger, d, LANES);
  if (v < n && lane == 0) count[v] = stronger;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 300000;
  Graph g(n, 12);
  int *offset, *target, *count;
  cudaMallocManaged(&offset, g.offset.size() * sizeof(int));
  cudaMallocManaged(&target, g.target.size() * sizeof(int));
  cudaMallocManaged(&count, n * sizeof(int));
  std::copy(g.offset.begin(), g.offset.end(), offset);
  std::copy(g.target.begin(), g.target.end(), target);
  countStronger<<<(n * LANES + 255) / 256, 256>>>(offset, target, count, n);
  cudaDeviceSynchronize();
  long long sum = 0;
  int roots = 0;
  for (int v = 0; v < n; ++v) {
    sum += count[v];
    roots += count[v] == 0;
  }
  std::printf("edges %zu, stronger %lld, local maxima %d\n", g.target.size(), sum, roots);
  cudaFree(offset);
  cudaFree(target);
  cudaFree(count);
  return 0;
}
