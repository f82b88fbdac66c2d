// SPDX-License-Identifier: Apache-2.0
// Betweenness centrality: forward counting of shortest paths and backward dependencies.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_LAST()                                                                               \
  {                                                                                                \
    cudaError_t e = cudaGetLastError();                                                            \
    if (e != cudaSuccess) {                                                                        \
      printf("FAIL %s\n", cudaGetErrorString(e));                                                  \
      return 1;                                                                                    \
    }                                                                                              \
  }

typedef struct {
  int* offset;
  int* neighbour;
  int* edgeFrom;
  int vertices, edges;
} GraphGPU;

__global__ void bcInit(int n, int source, int* depth, unsigned* sigma, float* delta) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += blockDim.x * gridDim.x) {
    depth[v] = (v == source) ? 0 : -1;
    sigma[v] = (v == source) ? 1 : 0;
    delta[v] = 0.0f;
  }
}

// edge-parallel discovery; every thread that finds a vertex writes the same depth
__global__ void bcDiscover(GraphGPU g, int level, int* depth, int* found) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < g.edges) {
    int u = g.edgeFrom[e];
    if (depth[u] == level) {
      int v = g.neighbour[e];
      if (atomicCAS(&depth[v], -1, level + 1) == -1)
        *found = 1;
    }
  }
}

// counts paths of the vertices of a level: pulls from the level before
__global__ void bcCount(GraphGPU g, int level, const int* depth, unsigned* sigma) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < g.vertices && depth[v] == level) {
    unsigned s = 0;
    for (int e = g.offset[v]; e < g.offset[v + 1]; e++)
      if (depth[g.neighbour[e]] == level - 1)
        s += sigma[g.neighbour[e]];
    sigma[v] = s;
  }
}

// half a warp for each vertex: dependencies from the level below
__global__ void bcBackward(GraphGPU g, int level, const int* depth, const unsigned* sigma,
                           float* delta, float* centrality, int source) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int v = t >> 4;
  int lane = t & 15;
  bool mine = v < g.vertices && depth[v] == level;
  float sum = 0.0f;
  if (mine) {
    float s = (float)sigma[v];
    for (int e = g.offset[v] + lane; e < g.offset[v + 1]; e += 16) {
      int w = g.neighbour[e];
      if (depth[w] == level + 1)
        sum += s / (float)sigma[w] * (1.0f + delta[w]);
    }
  }
  sum += __shfl_xor_sync(0xffffffffu, sum, 8);
  sum += __shfl_xor_sync(0xffffffffu, sum, 4);
  sum += __shfl_xor_sync(0xffffffffu, sum, 2);
  sum += __shfl_xor_sync(0xffffffffu, sum, 1);
  if (mine && lane == 0) {
    delta[v] = sum;
    if (v != source)
      centrality[v] += sum;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 8000;
  std::vector<std::pair<int, int>> list;
  unsigned x = 0xC0FFEEu;
  for (int v = 0; v < n; v++)
    for (int k = 0; k < 4; k++) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
      int u = x % n;
      if (u != v) {
        list.push_back({u, v});
        list.push_back({v, u});
      }
    }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  int m = (int)list.size();
  std::vector<int> offset(n + 1, 0), neighbour(m), from(m);
  for (int e = 0; e < m; e++) {
    offset[list[e].first + 1]++;
    from[e] = list[e].first;
    neighbour[e] = list[e].second;
  }
  for (int v = 0; v < n; v++)
    offset[v + 1] += offset[v];

  GraphGPU g;
  g.vertices = n;
  g.edges = m;
  int *depth, *found;
  unsigned* sigma;
  float *delta, *centrality;
  cudaMalloc(&g.offset, (n + 1) * sizeof(int));
  cudaMalloc(&g.neighbour, m * sizeof(int));
  cudaMalloc(&g.edgeFrom, m * sizeof(int));
  cudaMalloc(&depth, n * sizeof(int));
  cudaMalloc(&found, sizeof(int));
  cudaMalloc(&sigma, n * sizeof(unsigned));
  cudaMalloc(&delta, n * sizeof(float));
  cudaMalloc(&centrality, n * sizeof(float));
  cudaMemcpy(g.offset, offset.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(g.neighbour, neighbour.data(), m * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(g.edgeFrom, from.data(), m * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(centrality, 0, n * sizeof(float));
  CHECK_LAST();

  const int nsources = 2;
  int sources[nsources] = {1, n / 2};
  int vgrid = (n + 255) / 256;
  for (int s = 0; s < nsources; s++) {
    bcInit<<<80, 256>>>(n, sources[s], depth, sigma, delta);
    int level = 0, more = 1;
    while (more) {
      cudaMemset(found, 0, sizeof(int));
      bcDiscover<<<(m + 511) / 512, 512>>>(g, level, depth, found);
      cudaMemcpy(&more, found, sizeof(int), cudaMemcpyDeviceToHost);
      if (more) {
        level++;
        bcCount<<<vgrid, 256>>>(g, level, depth, sigma);
      }
    }
    for (int l = level - 1; l >= 0; l--)
      bcBackward<<<(n * 16 + 255) / 256, 256>>>(g, l, depth, sigma, delta, centrality, sources[s]);
    CHECK_LAST();
  }
  std::vector<float> got(n);
  cudaMemcpy(got.data(), centrality, n * sizeof(float), cudaMemcpyDeviceToHost);
  CHECK_LAST();

  std::vector<double> want(n, 0.0);
  for (int s = 0; s < nsources; s++) {
    std::vector<int> d(n, -1), order;
    std::vector<double> paths(n, 0.0), dep(n, 0.0);
    order.push_back(sources[s]);
    d[sources[s]] = 0;
    paths[sources[s]] = 1;
    for (size_t h = 0; h < order.size(); h++) {
      int u = order[h];
      for (int e = offset[u]; e < offset[u + 1]; e++) {
        int v = neighbour[e];
        if (d[v] < 0) {
          d[v] = d[u] + 1;
          order.push_back(v);
        }
        if (d[v] == d[u] + 1)
          paths[v] += paths[u];
      }
    }
    for (size_t h = order.size(); h-- > 1;) {
      int w = order[h];
      for (int e = offset[w]; e < offset[w + 1]; e++) {
        int v = neighbour[e];
        if (d[v] == d[w] - 1)
          dep[v] += paths[v] / paths[w] * (1 + dep[w]);
      }
      want[w] += dep[w];
    }
  }
  double worst = 0;
  for (int v = 0; v < n; v++)
    worst = std::max(worst, fabs(want[v] - got[v]) / (1.0 + want[v]));
  printf("vertices %d edges %d worst relative difference %g\n", n, m, worst);
  if (worst > 1e-3) {
    printf("FAIL\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
