// SPDX-License-Identifier: Apache-2.0
// Connected components by hooking trees with atomics and pointer jumping.
#include "common.h"

// Others write meanwhile: nothing may come from the L1, which would not notice.
__device__ int rootOf(volatile int* parent, int node) {
  while (parent[node] != node) {
    parent[node] = parent[parent[node]];
    node = parent[node];
  }
  return node;
}

__global__ void hookEdges(const int2* edges, int count, int* parent) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int a = rootOf(parent, edges[i].x), b = rootOf(parent, edges[i].y);
  while (a != b) {
    if (a < b) {
      int held = a;
      a = b;
      b = held;
    }
    int old = atomicCAS(&parent[a], a, b);
    if (old == a)
      break;
    a = rootOf(parent, old);
    b = rootOf(parent, b);
  }
}

__global__ void flattenTrees(int* parent, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int root = i; // nothing on the way is written: it may be another's result already
  while (((volatile int*)parent)[root] != root)
    root = ((volatile int*)parent)[root];
  parent[i] = root;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 2000), count = n * 3 / 4;
  Random random(43);
  std::vector<int2> edges(count);
  for (int2& edge : edges)
    edge = make_int2(random.next() % n, random.next() % n);
  std::vector<int> parent(n);
  for (int i = 0; i < n; ++i)
    parent[i] = i;
  int2* e = upload(edges);
  int* p = upload(parent);
  hookEdges<<<(count + 127) / 128, 128>>>(e, count, p);
  flattenTrees<<<(n + 127) / 128, 128>>>(p, n);
  std::vector<int> got = download(p, n);
  for (bool changed = true; changed;) {
    changed = false;
    for (int2 edge : edges) {
      int low = std::min(parent[edge.x], parent[edge.y]);
      changed |= parent[edge.x] != low || parent[edge.y] != low;
      parent[edge.x] = parent[edge.y] = low;
    }
  }
  return verdict(got == parent);
}
