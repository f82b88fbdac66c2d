// SPDX-License-Identifier: Apache-2.0
// Classifies rows of features by the votes of sixteen decision trees of unequal depth.
#include "common.h"

const int TREES = 16, NODES = 127, FEATURES = 12;

struct Node {
  int feature; // or -1 - class at a leaf
  float threshold;
};

__host__ __device__ int classify(const Node* forest, const float* row) {
  int votes[4] = {};
  for (int t = 0; t < TREES; ++t) {
    const Node* tree = forest + t * NODES;
    int node = 0;
    while (tree[node].feature >= 0)
      node = 2 * node + (row[tree[node].feature] < tree[node].threshold ? 1 : 2);
    ++votes[-1 - tree[node].feature];
  }
  int best = 0;
  for (int c = 1; c < 4; ++c)
    if (votes[c] > votes[best])
      best = c;
  return best;
}

__global__ void classifyRows(const Node* forest, const float* rows, int* classes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    classes[i] = classify(forest, rows + i * FEATURES);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1024);
  Random random(179);
  std::vector<Node> forest(TREES * NODES);
  for (int i = 0; i < TREES * NODES; ++i) {
    bool isLeaf = i % NODES >= NODES / 2 || (i % NODES > 2 && random.next() % 5 == 0);
    forest[i] = {isLeaf ? -1 - (int)(random.next() % 4) : (int)(random.next() % FEATURES),
                 random.uniform()};
  }
  std::vector<float> rows(n * FEATURES);
  for (float& value : rows)
    value = random.uniform();
  int* classes = allocate<int>(n);
  classifyRows<<<(n + 127) / 128, 128>>>(upload(forest), upload(rows), classes, n);
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i)
    want[i] = classify(forest.data(), &rows[i * FEATURES]);
  return verdict(download(classes, n) == want);
}
