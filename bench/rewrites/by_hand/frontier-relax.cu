// SPDX-License-Identifier: Apache-2.0
// One round of a shortest path search: vertices on the frontier offer distances to neighbours.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define INF 0x3fffffff

const int THREADS = 256;
const int TILES = 8;

// Appends the items of the warp's lanes that are wanted to the block's list.
__device__ void pack(bool wanted, int item, int* list, int* count) {
  unsigned votes = __ballot_sync(0xffffffffu, wanted);
  int lane = threadIdx.x & 31;
  int slot = 0;
  if (lane == 0 && votes != 0) slot = atomicAdd(count, __popc(votes));
  slot = __shfl_sync(0xffffffffu, slot, 0);
  if (wanted) list[slot + __popc(votes & ((1u << lane) - 1u))] = item;
}

__global__ void relax(const int* rowPtr, const int* colIdx, const int* weight,
                      const char* frontier, const int* dist, int* next, int numVertices) {
  __shared__ int list[THREADS * TILES];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int tile = 0; tile < TILES; ++tile) {
    int i = (blockIdx.x * TILES + tile) * THREADS + threadIdx.x;
    pack(i < numVertices && frontier[i], i, list, &count);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < count; slot += THREADS) {
    int i = list[slot];
    int d = dist[i];
    int end = rowPtr[i + 1];
    for (int e = rowPtr[i]; e < end; ++e) {
      atomicMin(&next[colIdx[e]], d + weight[e]);
    }
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

  relax<<<(n + THREADS * TILES - 1) / (THREADS * TILES), THREADS>>>(
      dRow, dCol, dWeight, dFrontier, dDist, dNext, n);
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
