// SPDX-License-Identifier: Apache-2.0
// Shortest paths: every edge relaxes with atomicMin until nothing changes. Arguments: vertices
// edges-per-vertex.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));               \
      printf("FAIL\n");                                                                            \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

#define INF 1000000000

struct Edge {
  int from, to, weight;
};

__global__ void init(int* dist, int n, int source) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    dist[i] = i == source ? 0 : INF;
}

__global__ void relax(const Edge* edges, int m, int* dist, int* changed) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m)
    return;
  Edge edge = edges[e];
  int d = dist[edge.from];
  if (d < INF) {
    int candidate = d + edge.weight;
    if (candidate < dist[edge.to] && candidate < atomicMin(&dist[edge.to], candidate))
      *changed = 1;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000, degree = argc > 2 ? atoi(argv[2]) : 4;
  std::vector<Edge> edges;
  unsigned state = 7;
  for (int v = 0; v < n; ++v)
    for (int k = 0; k < degree; ++k) {
      state = state * 1664525u + 1013904223u;
      int to = k == 0 ? (v + 1) % n : (int)(state >> 8) % n;
      edges.push_back({v, to, 1 + (int)(state >> 4) % 100});
    }
  int m = (int)edges.size();
  Edge* d_edges;
  int *d_dist, *d_changed, changed = 1, rounds = 0;
  CUDA_CHECK(cudaMalloc(&d_edges, m * sizeof(Edge)));
  CUDA_CHECK(cudaMalloc(&d_dist, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_changed, sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_edges, edges.data(), m * sizeof(Edge), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  init<<<(n + 255) / 256, 256>>>(d_dist, n, 0);
  while (changed) {
    changed = 0;
    CUDA_CHECK(cudaMemcpy(d_changed, &changed, sizeof(int), cudaMemcpyHostToDevice));
    relax<<<(m + 255) / 256, 256>>>(d_edges, m, d_dist, d_changed);
    CUDA_CHECK(cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost));
    ++rounds;
  }
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%d vertices, %d edges: %d rounds, %.3f ms\n", n, m, rounds, ms);
  std::vector<int> dist(n), want(n, INF);
  CUDA_CHECK(cudaMemcpy(dist.data(), d_dist, n * sizeof(int), cudaMemcpyDeviceToHost));
  want[0] = 0;
  for (bool again = true; again;) {
    again = false;
    for (const Edge& e : edges)
      if (want[e.from] < INF && want[e.from] + e.weight < want[e.to]) {
        want[e.to] = want[e.from] + e.weight;
        again = true;
      }
  }
  for (int v = 0; v < n; ++v)
    if (dist[v] != want[v]) {
      printf("FAIL: distance of %d is %d, expected %d\n", v, dist[v], want[v]);
      return 1;
    }
  printf("PASS\n");
  return 0;
}
