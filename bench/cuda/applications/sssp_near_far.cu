// SPDX-License-Identifier: Apache-2.0
// Single-source shortest paths with a near and a far pile of vertices and atomicMin relaxations.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <queue>
#include <vector>

typedef unsigned int uint;

static void die(const char* file, int line, cudaError_t e) {
  printf("FAIL %s:%d: %s\n", file, line, cudaGetErrorString(e));
  exit(1);
}
#define SAFE(x)                                                                                    \
  do {                                                                                             \
    cudaError_t e = (x);                                                                           \
    if (e)                                                                                         \
      die(__FILE__, __LINE__, e);                                                                  \
  } while (0)

struct Edge {
  int to;
  uint weight;
};

const uint UNREACHED = 0xffffffffu;

__global__ void initialise(uint* dist, uint* stamp, int n, int source) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) {
    dist[v] = v == source ? 0u : UNREACHED;
    stamp[v] = 0;
  }
}

/* Relaxes all edges that leave vertices of the near pile.  A vertex enters a pile at most once for
   each round: the round's number is its stamp. */
__global__ void relaxNear(const int* start, const Edge* edges, const int* near, int nearSize,
                          uint* dist, uint* stamp, uint round, uint bound, int* nextNear,
                          int* farPile, int* sizes, int farCapacity) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= nearSize)
    return;
  int v = near[t];
  uint d = atomicAdd(&dist[v], 0u); // a fresh value
  for (int e = start[v]; e < start[v + 1]; e++) {
    Edge edge = edges[e];
    uint nd = d + edge.weight;
    if (nd < atomicMin(&dist[edge.to], nd)) {
      if (nd < bound) {
        if (atomicExch(&stamp[edge.to], round) != round)
          nextNear[atomicAdd(&sizes[0], 1)] = edge.to;
      } else {
        int at = atomicAdd(&sizes[1], 1);
        if (at < farCapacity)
          farPile[at] = edge.to;
      }
    }
  }
}

/* Takes the vertices out of the far pile that are below the new bound; those with a distance below
   the old bound were done already. */
__global__ void splitFar(const int* farIn, int count, const uint* dist, uint* stamp, uint round,
                         uint oldBound, uint bound, int* near, int* farOut, int* sizes) {
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < count; t += gridDim.x * blockDim.x) {
    int v = farIn[t];
    uint d = dist[v];
    if (d < oldBound)
      continue;
    if (d < bound) {
      if (atomicExch(&stamp[v], round) != round)
        near[atomicAdd(&sizes[0], 1)] = v;
    } else {
      farOut[atomicAdd(&sizes[1], 1)] = v;
    }
  }
}

__global__ void summary(const uint* dist, int n, unsigned long long* sum, uint* largest) {
  unsigned long long s = 0;
  uint m = 0;
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x)
    if (dist[v] != UNREACHED) {
      s += dist[v];
      m = max(m, dist[v]);
    }
  atomicAdd(sum, s);
  atomicMax(largest, m);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10000;
  const int degree = 12;
  std::vector<int> start(n + 1);
  std::vector<Edge> edges;
  uint lcg = 2463534242u;
  for (int v = 0; v < n; v++) {
    start[v] = (int)edges.size();
    for (int k = 0; k < degree; k++) {
      lcg = lcg * 1103515245u + 12345u;
      int to = (int)((lcg >> 4) % (uint)n);
      lcg = lcg * 1103515245u + 12345u;
      edges.push_back({to, 10 + (lcg >> 8) % 90});
    }
  }
  start[n] = (int)edges.size();
  int farCapacity = 4 * n + (int)edges.size();

  int *dStart, *dNear[2], *dFar[2], *dSizes;
  Edge* dEdges;
  uint *dDist, *dStamp, *dLargest;
  unsigned long long* dSum;
  SAFE(cudaMalloc(&dStart, (n + 1) * sizeof(int)));
  SAFE(cudaMalloc(&dEdges, edges.size() * sizeof(Edge)));
  SAFE(cudaMalloc(&dDist, n * sizeof(uint)));
  SAFE(cudaMalloc(&dStamp, n * sizeof(uint)));
  for (int i = 0; i < 2; i++) {
    SAFE(cudaMalloc(&dNear[i], n * sizeof(int)));
    SAFE(cudaMalloc(&dFar[i], farCapacity * sizeof(int)));
  }
  SAFE(cudaMalloc(&dSizes, 2 * sizeof(int)));
  SAFE(cudaMalloc(&dLargest, sizeof(uint)));
  SAFE(cudaMalloc(&dSum, sizeof(unsigned long long)));
  SAFE(cudaMemcpy(dStart, start.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice));
  SAFE(cudaMemcpy(dEdges, edges.data(), edges.size() * sizeof(Edge), cudaMemcpyHostToDevice));
  SAFE(cudaMemset(dSum, 0, sizeof(unsigned long long)));
  SAFE(cudaMemset(dLargest, 0, sizeof(uint)));

  const int source = n / 2;
  const uint delta = 60;
  initialise<<<(n + 127) / 128, 128>>>(dDist, dStamp, n, source);
  SAFE(cudaMemcpy(dNear[0], &source, sizeof(int), cudaMemcpyHostToDevice));
  int nearSize = 1, farSize = 0, a = 0, f = 0, launches = 0;
  uint round = 0, bound = delta;
  bool overflow = false;
  while (nearSize > 0 || farSize > 0) {
    while (nearSize > 0) {
      int sizes[2] = {0, farSize};
      SAFE(cudaMemcpy(dSizes, sizes, sizeof sizes, cudaMemcpyHostToDevice));
      relaxNear<<<(nearSize + 127) / 128, 128>>>(dStart, dEdges, dNear[a], nearSize, dDist, dStamp,
                                                 ++round, bound, dNear[1 - a], dFar[f], dSizes,
                                                 farCapacity);
      launches++;
      SAFE(cudaMemcpy(sizes, dSizes, sizeof sizes, cudaMemcpyDeviceToHost));
      nearSize = sizes[0];
      farSize = sizes[1];
      if (farSize > farCapacity) {
        overflow = true;
        farSize = farCapacity;
      }
      a = 1 - a;
    }
    if (farSize > 0) {
      int sizes[2] = {0, 0};
      SAFE(cudaMemset(dSizes, 0, sizeof sizes));
      splitFar<<<(farSize + 255) / 256, 256>>>(dFar[f], farSize, dDist, dStamp, ++round, bound,
                                               bound + delta, dNear[a], dFar[1 - f], dSizes);
      launches++;
      SAFE(cudaMemcpy(sizes, dSizes, sizeof sizes, cudaMemcpyDeviceToHost));
      nearSize = sizes[0];
      farSize = sizes[1];
      f = 1 - f;
      bound += delta;
    }
  }
  summary<<<40, 128>>>(dDist, n, dSum, dLargest);
  SAFE(cudaGetLastError());
  unsigned long long sum;
  uint largest;
  std::vector<uint> got(n);
  SAFE(cudaMemcpy(&sum, dSum, sizeof sum, cudaMemcpyDeviceToHost));
  SAFE(cudaMemcpy(&largest, dLargest, sizeof largest, cudaMemcpyDeviceToHost));
  SAFE(cudaMemcpy(got.data(), dDist, n * sizeof(uint), cudaMemcpyDeviceToHost));
  printf("%d launches, largest distance %u, sum %llu\n", launches, largest, sum);

  std::vector<uint> want(n, UNREACHED);
  typedef std::pair<uint, int> Item;
  std::priority_queue<Item, std::vector<Item>, std::greater<Item>> heap;
  want[source] = 0;
  heap.push({0, source});
  while (!heap.empty()) {
    Item it = heap.top();
    heap.pop();
    if (it.first != want[it.second])
      continue;
    for (int e = start[it.second]; e < start[it.second + 1]; e++) {
      uint nd = it.first + edges[e].weight;
      if (nd < want[edges[e].to]) {
        want[edges[e].to] = nd;
        heap.push({nd, edges[e].to});
      }
    }
  }
  unsigned long long wantSum = 0;
  for (uint d : want)
    if (d != UNREACHED)
      wantSum += d;
  if (overflow || got != want || sum != wantSum) {
    printf("FAIL %s\n", overflow ? "the far pile overflowed" : "distances differ");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
