// SPDX-License-Identifier: Apache-2.0
// Lookups in a tree whose nodes have 15 keys and 16 children, in one array.
#include "common.h"

const int KEYS = 15;

__global__ void searchTree(const int* tree, int nodes, const int* queries, int* depthFound, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int query = queries[i], node = 0, depth = 0;
  depthFound[i] = -1;
  while (node < nodes) {
    const int* keys = tree + node * KEYS;
    int k = 0;
    while (k < KEYS && keys[k] < query)
      ++k;
    if (k < KEYS && keys[k] == query) {
      depthFound[i] = depth;
      return;
    }
    node = node * (KEYS + 1) + k + 1;
    ++depth;
  }
}

void fill(std::vector<int>& tree, int nodes, int node, int& next) {
  for (int k = 0; k <= KEYS; ++k) {
    int child = node * (KEYS + 1) + k + 1;
    if (child < nodes)
      fill(tree, nodes, child, next);
    if (k < KEYS) {
      tree[node * KEYS + k] = next;
      next += 3;
    }
  }
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 4096), nodes = 1 + 16 + 256 + n / 32, next = 0;
  std::vector<int> tree(nodes * KEYS), queries(n), want(n, -1);
  fill(tree, nodes, 0, next);
  Random random(127);
  for (int i = 0; i < n; ++i) {
    queries[i] = random.next() % next;
    for (int node = 0, depth = 0; node < nodes; ++depth) {
      int k = 0;
      while (k < KEYS && tree[node * KEYS + k] < queries[i])
        ++k;
      if (k < KEYS && tree[node * KEYS + k] == queries[i]) {
        want[i] = depth;
        break;
      }
      node = node * (KEYS + 1) + k + 1;
    }
  }
  int* found = allocate<int>(n);
  searchTree<<<(n + 127) / 128, 128>>>(upload(tree), nodes, upload(queries), found, n);
  return verdict(download(found, n) == want);
}
