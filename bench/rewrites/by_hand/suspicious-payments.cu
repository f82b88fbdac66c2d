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

__global__ void score(const short* __restrict__ payments, const Node* __restrict__ trees,
                      const short* __restrict__ leaves, int* __restrict__ result, int n) {
  __shared__ int list[THREADS * TILES];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int tile = 0; tile < TILES; ++tile) {
    int i = (blockIdx.x * TILES + tile) * THREADS + threadIdx.x;
    bool flagged = false;
    if (i < n) {
      const short* row = payments + i * ATTRS;
      int amount = row[0], home = row[1], country = row[2];
      flagged = amount > 700 && (home ^ country) % 3 != 0;
      if (!flagged) result[i] = 0;
    }
    pack(flagged, i, list, &count);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < count; slot += THREADS) {
    int i = list[slot];
    const short* row = payments + i * ATTRS;
    int total = 0;
    for (int t = 0; t < TREES; ++t) {
      total += scoreTree(trees + t * NODES, leaves + t * (NODES + 1), row);
    }
    result[i] = total;
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
  int blocks = (n + THREADS * TILES - 1) / (THREADS * TILES);
  score<<<blocks, THREADS>>>(dPayments, dTrees, dLeaves, dResult, n);
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
