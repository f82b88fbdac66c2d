// SPDX-License-Identifier: Apache-2.0
// Pulls rank along incoming edges of a graph with a power law of degrees (several sweeps).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#define DAMPING 0.85f

__global__ void share(const float* rank, const int* outDegree, float* part, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) part[v] = rank[v] / outDegree[v];
}

__global__ void pull(const int* offsets, const int* sources, const float* part, float* rank,
                     int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  float sum = 0.0f;
  int end = offsets[v + 1];
  for (int e = offsets[v]; e < end; e++) {
    sum += part[sources[e]];
  }
  rank[v] = (1.0f - DAMPING) / n + DAMPING * sum;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 400000;
  std::mt19937 gen(271828);
  std::uniform_real_distribution<double> u(0.0, 1.0);
  std::vector<int> offsets(n + 1, 0), outDegree(n, 1);
  for (int v = 0; v < n; ++v) {
    double d = 2.0 / std::pow(1.0 - u(gen), 0.7);
    offsets[v + 1] = offsets[v] + static_cast<int>(d < 5000.0 ? d : 5000.0);
  }
  std::vector<int> sources(offsets[n]);
  for (int& s : sources) {
    s = static_cast<int>(gen() % n);
    ++outDegree[s];
  }
  std::vector<float> rank(n, 1.0f / n);

  int *dOff, *dSrc, *dDeg;
  float *dRank, *dPart;
  cudaMalloc(&dOff, offsets.size() * sizeof(int));
  cudaMalloc(&dSrc, sources.size() * sizeof(int));
  cudaMalloc(&dDeg, n * sizeof(int));
  cudaMalloc(&dRank, n * sizeof(float));
  cudaMalloc(&dPart, n * sizeof(float));
  cudaMemcpy(dOff, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dSrc, sources.data(), sources.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dDeg, outDegree.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dRank, rank.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  const int threads = 256, blocks = (n + threads - 1) / threads;
  for (int sweep = 0; sweep < 4; ++sweep) {
    share<<<blocks, threads>>>(dRank, dDeg, dPart, n);
    pull<<<blocks, threads>>>(dOff, dSrc, dPart, dRank, n);
  }
  cudaMemcpy(rank.data(), dRank, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  float top = 0;
  for (float r : rank) {
    sum += r;
    top = r > top ? r : top;
  }
  std::printf("edges %d, total %.4f, top %.3e\n", offsets[n], sum, top);
  cudaFree(dOff);
  cudaFree(dSrc);
  cudaFree(dDeg);
  cudaFree(dRank);
  cudaFree(dPart);
  return 0;
}
