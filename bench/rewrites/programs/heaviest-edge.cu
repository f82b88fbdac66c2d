// SPDX-License-Identifier: Apache-2.0
// Proposes for every vertex its heaviest edge (lowest position on ties), as in greedy matching.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void propose(const int* rowStart, const int* adj, const int* weight, int* choice,
                        int n) {
  int v = threadIdx.x + blockIdx.x * blockDim.x;
  if (v >= n) return;
  int best = -1;
  int bestEdge = -1;
  for (int e = rowStart[v]; e < rowStart[v + 1]; ++e) {
    if (weight[e] > best) {
      best = weight[e];
      bestEdge = e;
    }
  }
  choice[v] = bestEdge < 0 ? v : adj[bestEdge];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 300000;
  std::mt19937 gen(10);
  std::vector<int> rowStart(n + 1, 0);
  for (int v = 0; v < n; ++v) {
    int degree = gen() % 24;
    if (gen() % 64 == 0) degree += 100 + gen() % 400;
    rowStart[v + 1] = rowStart[v] + degree;
  }
  size_t m = rowStart[n];
  std::vector<int> adj(m), weight(m), choice(n);
  for (size_t e = 0; e < m; ++e) {
    adj[e] = gen() % n;
    weight[e] = gen() % 1000;
  }
  int *dRow, *dAdj, *dWeight, *dChoice;
  cudaMalloc(&dRow, rowStart.size() * sizeof(int));
  cudaMalloc(&dAdj, m * sizeof(int));
  cudaMalloc(&dWeight, m * sizeof(int));
  cudaMalloc(&dChoice, n * sizeof(int));
  cudaMemcpy(dRow, rowStart.data(), rowStart.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dAdj, adj.data(), m * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dWeight, weight.data(), m * sizeof(int), cudaMemcpyHostToDevice);
  propose<<<(n + 255) / 256, 256>>>(dRow, dAdj, dWeight, dChoice, n);
  cudaMemcpy(choice.data(), dChoice, n * sizeof(int), cudaMemcpyDeviceToHost);
  long long check = 0;
  int mutual = 0;
  for (int v = 0; v < n; ++v) {
    check = (check * 131 + choice[v]) % 998244353;
    mutual += choice[v] != v && choice[choice[v]] == v;
  }
  std::printf("mutual %d, check %lld\n", mutual, check);
  cudaFree(dRow);
  cudaFree(dAdj);
  cudaFree(dWeight);
  cudaFree(dChoice);
  return 0;
}
