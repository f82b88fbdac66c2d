// SPDX-License-Identifier: Apache-2.0
//
// One relaxation step over the edges of each node: rows of very different length, scattered reads.
#include "kernel.h"

KERNEL(graph, int* next, const int* distance, const int* first, const int* edges,
       const int* weights, int n) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= n)
    return;
  int best = distance[node];
  for (int e = first[node]; e < first[node + 1]; ++e) {
    const int through = distance[edges[e]] + weights[e];
    if (through < best)
      best = through;
  }
  next[node] = best;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block,
                  graph(t, b, block, grid, *(int**)a[0], *(int**)a[1], *(int**)a[2], *(int**)a[3],
                        *(int**)a[4], *(int*)a[5]))
}
#endif
