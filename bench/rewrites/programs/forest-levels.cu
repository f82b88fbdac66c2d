// SPDX-License-Identifier: Apache-2.0
// Costs from the root of small trees, a block per tree, level after level; children read parents.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define NODES 128
#define LEVELS 8

__global__ void rootCosts(const int* parent, const int* level, const int* edge, int* cost) {
  int node = blockIdx.x * NODES + threadIdx.x;
  int base = blockIdx.x * NODES;
  for (int l = 0; l < LEVELS; ++l) {
    if (level[node] == l) {
      int c = edge[node];
      if (l > 0) c += cost[base + parent[node]];
      for (int k = 0; k < 8; ++k) c = (c * 17 + k) % 30011;
      cost[node] = c;
    }
    __syncthreads();
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 2000000;
  int trees = (n + NODES - 1) / NODES;
  n = trees * NODES;
  std::vector<int> parent(n), level(n), edge(n), cost(n);
  unsigned s = 1000;
  for (int t = 0; t < trees; ++t) {
    for (int k = 0; k < NODES; ++k) {
      int node = t * NODES + k;
      s = s * 1664525u + 1013904223u;
      edge[node] = (s >> 16) % 1000;
      parent[node] = k == 0 ? 0 : (k - 1) / 2;
      level[node] = k == 0 ? 0 : level[t * NODES + parent[node]] + 1;
    }
  }
  int *dParent, *dLevel, *dEdge, *dCost;
  cudaMalloc(&dParent, n * sizeof(int));
  cudaMalloc(&dLevel, n * sizeof(int));
  cudaMalloc(&dEdge, n * sizeof(int));
  cudaMalloc(&dCost, n * sizeof(int));
  cudaMemcpy(dParent, parent.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dLevel, level.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dEdge, edge.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  rootCosts<<<trees, NODES>>>(dParent, dLevel, dEdge, dCost);
  cudaMemcpy(cost.data(), dCost, n * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int c : cost) sum += c;
  std::printf("sum of costs %lld\n", sum);
  cudaFree(dParent);
  cudaFree(dLevel);
  cudaFree(dEdge);
  cudaFree(dCost);
  return 0;
}
