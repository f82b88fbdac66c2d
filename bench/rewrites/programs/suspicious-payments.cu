// SPDX-License-Identifier: Apache-2.0
// Scores payments with a forest of small decision trees, but only those a cheap rule flags.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define TREES 24
#define DEPTH 6
#define NODES ((1 << DEPTH) - 1)
#define ATTRS 8

struct Node {
  short attr;
  short threshold;
};

__device__ int scoreTree(const Node* tree, const short* leaves, const short* row) {
  int node = 0;
  for (int d = 0; d < DEPTH; ++d) {
    Node t = tree[node];
    node = 2 * node + 1 + (row[t.attr] > t.threshold);
  }
  return leaves[node - NODES];
}

__global__ void score(const short* __restrict__ payments, const Node* __restrict__ trees,
                      const short* __restrict__ leaves, int* __restrict__ result, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const short* row = payments + i * ATTRS;
    int amount = row[0], home = row[1], country = row[2];
    bool flagged = amount > 700 && (home ^ country) % 3 != 0;
    if (flagged) {
      int total = 0;
      for (int t = 0; t < TREES; ++t) {
        total += scoreTree(trees + t * NODES, leaves + t * (NODES + 1), row);
      }
      result[i] = total;
    } else {
      result[i] = 0;
    }
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 3000000;
  std::mt19937 gen(1234);
  std::vector<short> payments(size_t(n) * ATTRS), leaves(TREES * (NODES + 1));
  std::vector<Node> trees(TREES * NODES);
  for (int i = 0; i < n; ++i) {
    for (int a = 0; a < ATTRS; ++a) payments[size_t(i) * ATTRS + a] = gen() % 1000;
    if (gen() % 2) payments[size_t(i) * ATTRS] = gen() % 600;
  }
  for (Node& t : trees) t = {short(gen() % ATTRS), short(200 + gen() % 600)};
  for (short& l : leaves) l = gen() % 100;

  short *dPayments, *dLeaves;
  Node* dTrees;
  int* dResult;
  cudaMalloc(&dPayments, payments.size() * sizeof(short));
  cudaMalloc(&dLeaves, leaves.size() * sizeof(short));
  cudaMalloc(&dTrees, trees.size() * sizeof(Node));
  cudaMalloc(&dResult, n * sizeof(int));
  cudaMemcpy(dPayments, payments.data(), payments.size() * sizeof(short),
             cudaMemcpyHostToDevice);
  cudaMemcpy(dLeaves, leaves.data(), leaves.size() * sizeof(short), cudaMemcpyHostToDevice);
  cudaMemcpy(dTrees, trees.data(), trees.size() * sizeof(Node), cudaMemcpyHostToDevice);
  score<<<(n + 255) / 256, 256>>>(dPayments, dTrees, dLeaves, dResult, n);
  std::vector<int> result(n);
  cudaMemcpy(result.data(), dResult, n * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  int alarms = 0;
  for (int r : result) {
    sum += r;
    alarms += r > 1300;
  }
  std::printf("alarms %d, sum of scores %lld\n", alarms, sum);
  cudaFree(dPayments);
  cudaFree(dLeaves);
  cudaFree(dTrees);
  cudaFree(dResult);
  return 0;
}
