// SPDX-License-Identifier: Apache-2.0
// Breadth-first search with a queue for each level.
#include "common.h"

__global__ void expandLevel(const int* start, const int* edges, int* distance, const int* frontier,
                            int size, int* next, int* nextSize, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  int node = frontier[i];
  for (int k = start[node]; k < start[node + 1]; ++k) {
    int other = edges[k];
    if (distance[other] < 0 && atomicCAS(&distance[other], -1, level) == -1)
      next[atomicAdd(nextSize, 1)] = other;
  }
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 2000);
  Random random(31);
  std::vector<int> start(1, 0), edges, distance(n, -1);
  for (int i = 0; i < n; ++i) {
    int degree = random.next() % 8 + (random.next() % 50 == 0 ? 60 : 0);
    for (int k = 0; k < degree; ++k)
      edges.push_back(random.next() % n);
    start.push_back((int)edges.size());
  }
  distance[0] = 0;
  int *s = upload(start), *e = upload(edges), *d = upload(distance);
  int *frontier = upload(std::vector<int>(n, 0)), *next = allocate<int>(n),
      *nextSize = allocate<int>(1);
  int size = 1;
  for (int level = 1; size > 0; ++level) {
    CHECK(cudaMemset(nextSize, 0, sizeof(int)));
    expandLevel<<<(size + 127) / 128, 128>>>(s, e, d, frontier, size, next, nextSize, level);
    size = download(nextSize, 1)[0];
    std::swap(frontier, next);
  }
  std::vector<int> got = download(d, n), queue(1, 0);
  for (size_t head = 0; head < queue.size(); ++head)
    for (int k = start[queue[head]]; k < start[queue[head] + 1]; ++k)
      if (distance[edges[k]] < 0) {
        distance[edges[k]] = distance[queue[head]] + 1;
        queue.push_back(edges[k]);
      }
  return verdict(got == distance);
}
