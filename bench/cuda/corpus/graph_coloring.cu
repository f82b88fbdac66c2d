// SPDX-License-Identifier: Apache-2.0
// Colours a graph by rounds: a node whose number is the largest among its uncoloured neighbours
// takes the first colour that none of them has.
#include "common.h"

__global__ void colorRound(const int* start, const int* neighbors, const unsigned* weight,
                           const int* before, int* color, int n, int* left) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= n || before[node] >= 0)
    return;
  unsigned long long used = 0;
  for (int k = start[node]; k < start[node + 1]; ++k) {
    int other = neighbors[k];
    if (before[other] >= 0)
      used |= 1ull << before[other];
    else if (weight[other] > weight[node] || (weight[other] == weight[node] && other > node)) {
      atomicAdd(left, 1);
      return;
    }
  }
  color[node] = __ffsll((long long)~used) - 1;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1500);
  Random random(53);
  std::vector<std::vector<int>> lists(n);
  for (int k = 0; k < n * 4; ++k) {
    int a = random.next() % n, b = random.next() % n;
    if (a != b && lists[a].size() < 40 && lists[b].size() < 40) {
      lists[a].push_back(b);
      lists[b].push_back(a);
    }
  }
  std::vector<int> start(1, 0), neighbors;
  std::vector<unsigned> weight;
  for (auto& list : lists) {
    neighbors.insert(neighbors.end(), list.begin(), list.end());
    start.push_back((int)neighbors.size());
    weight.push_back(random.next());
  }
  int *s = upload(start), *l = upload(neighbors), *left = allocate<int>(1);
  int *color = upload(std::vector<int>(n, -1)), *before = allocate<int>(n);
  unsigned* w = upload(weight);
  for (int round = 0, open = 1; open && round < 60; ++round) {
    CHECK(cudaMemset(left, 0, sizeof(int)));
    CHECK(cudaMemcpy(before, color, n * sizeof(int), cudaMemcpyDeviceToDevice));
    colorRound<<<(n + 127) / 128, 128>>>(s, l, w, before, color, n, left);
    open = download(left, 1)[0];
  }
  std::vector<int> got = download(color, n);
  bool passed = true;
  for (int i = 0; i < n; ++i)
    for (int other : lists[i])
      passed &= got[i] >= 0 && got[i] != got[other];
  return verdict(passed);
}
