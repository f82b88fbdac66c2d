// SPDX-License-Identifier: Apache-2.0
// One round of a shortest path search: vertices on the frontier offer distances to neighbours.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define INF 0x3fffffff

__global__ void relax(const int* rowPtr, const int* colIdx, const int* weight,
                      const char* frontier, const int* dist, int* next, int numVertices) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= numVertices) return;
  if (!frontier[v]) return;
  int d = dist[v];
  for (int e = rowPtr[v]; e < rowPtr[v + 1]; ++e) {
    atomicMin(&next[colIdx[e]], d + weight[e]);
  }
}

static unsigned state = 2463534242u;
static unsigned rnd() {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1000000;
  std::vector<int> rowPtr(n + 1, 0), dist(n), next(n, INF);
  std::vector<char> frontier(n);
  for (int v = 0; v < n; ++v) {
    rowPtr[v + 1] = rowPtr[v] + 4 + static_cast<int>(rnd() % 17);
    frontier[v] = rnd() % 100 < 5;
    dist[v] = frontier[v] ? static_cast<int>(rnd() % 1000) : INF;
  }
  int m = rowPtr[n];
  std::vector<int> colIdx(m), weight(m);
  for (int e = 0; e < m; ++e) {
    colIdx[e] = static_cast<int>(rnd() % n);
    weight[e] = 1 + static_cast<int>(rnd() % 64);
  }

  int *dRow, *dCol, *dWeight, *dDist, *dNext;
  char* dFrontier;
  cudaMalloc(&dRow, (n + 1) * sizeof(int));
  cudaMalloc(&dCol, m * sizeof(int));
  cudaMalloc(&dWeight, m * sizeof(int));
  cudaMalloc(&dDist, n * sizeof(int));
  cudaMalloc(&dNext, n * sizeof(int));
  cudaMalloc(&dFrontier, n);
  cudaMemcpy(dRow, rowPtr.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dCol, colIdx.data(), m * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dWeight, weight.data(), m * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dDist, dist.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dNext, next.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dFrontier, frontier.data(), n, cudaMemcpyHostToDevice);

  relax<<<(n + 255) / 256, 256>>>(dRow, dCol, dWeight, dFrontier, dDist, dNext, n);
  cudaMemcpy(next.data(), dNext, n * sizeof(int), cudaMemcpyDeviceToHost);

  long long sum = 0;
  int reached = 0;
  for (int v = 0; v < n; ++v) {
    if (next[v] < INF) {
      sum += next[v];
      ++reached;
    }
  }
  std::printf("reached %d of %d, sum of distances %lld\n", reached, n, sum);
  cudaFree(dRow);
  cudaFree(dCol);
  cudaFree(dWeight);
  cudaFree(dDist);
  cudaFree(dNext);
  cudaFree(dFrontier);
  return 0;
}
