// SPDX-License-Identifier: Apache-2.0
// Counts the triangles of a graph by merging sorted neighbour lists, one thread for each edge.
#include "common.h"
#include <algorithm>
#include <set>

__global__ void countTriangles(const int* start, const int* neighbors, const int2* edges, int count,
                               unsigned long long* total) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= count)
    return;
  int i = start[edges[e].x], iEnd = start[edges[e].x + 1];
  int j = start[edges[e].y], jEnd = start[edges[e].y + 1];
  int found = 0;
  while (i < iEnd && j < jEnd) {
    int a = neighbors[i], b = neighbors[j];
    found += a == b;
    i += a <= b;
    j += b <= a;
  }
  if (found)
    atomicAdd(total, (unsigned long long)found);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 300);
  Random random(47);
  std::vector<std::set<int>> larger(n);
  for (int k = 0; k < n * 8; ++k) {
    int a = random.next() % n, b = random.next() % (k % 4 ? n : n / 8 + 1);
    if (a != b)
      larger[std::min(a, b)].insert(std::max(a, b));
  }
  std::vector<int> start(1, 0), neighbors;
  std::vector<int2> edges;
  for (int i = 0; i < n; ++i) {
    for (int other : larger[i]) {
      neighbors.push_back(other);
      edges.push_back(make_int2(i, other));
    }
    start.push_back((int)neighbors.size());
  }
  int *s = upload(start), *l = upload(neighbors), count = (int)edges.size();
  int2* e = upload(edges);
  auto* total = allocate<unsigned long long>(1);
  countTriangles<<<(count + 255) / 256, 256>>>(s, l, e, count, total);
  unsigned long long want = 0;
  for (int2 edge : edges)
    for (int other : larger[edge.x])
      want += larger[edge.y].count(other);
  return verdict(download(total, 1)[0] == want);
}
