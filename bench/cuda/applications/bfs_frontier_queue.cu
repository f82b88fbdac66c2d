// SPDX-License-Identifier: Apache-2.0
// Breadth-first search from several sources with frontier queues filled by atomic appends.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

using std::vector;

#define GPU_CHECK(expr)                                                                            \
  if (auto e = (expr); e != cudaSuccess) {                                                         \
    fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e));                      \
    printf("FAIL\n");                                                                              \
    std::exit(1);                                                                                  \
  }

struct Graph {
  int vertices;
  vector<int> offsets;
  vector<int> targets;
};

static Graph makeGraph(int n, int degree) {
  unsigned long long s = 0x9E3779B97F4A7C15ull;
  auto next = [&s]() {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return s;
  };
  vector<std::pair<int, int>> edges;
  edges.reserve((size_t)n * degree);
  for (int v = 0; v < n; ++v) {
    // a skewed degree: some hubs
    int d = (next() % 64 == 0) ? degree * 8 : degree / 2;
    for (int k = 0; k < d; ++k) {
      int u = (int)(next() % n);
      edges.emplace_back(v, u);
      edges.emplace_back(u, v);
    }
  }
  Graph g;
  g.vertices = n;
  g.offsets.assign(n + 1, 0);
  for (auto& e : edges)
    ++g.offsets[e.first + 1];
  std::partial_sum(g.offsets.begin(), g.offsets.end(), g.offsets.begin());
  g.targets.resize(edges.size());
  vector<int> cursor(g.offsets.begin(), g.offsets.end() - 1);
  for (auto& e : edges)
    g.targets[cursor[e.first]++] = e.second;
  return g;
}

__global__ void resetState(int* distance, int n, int source, int* queue, int* size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    distance[i] = i == source ? 0 : -1;
  if (i == 0) {
    queue[0] = source;
    size[0] = 1;
    size[1] = 0;
  }
}

// a thread takes a vertex of the frontier
__global__ void expandThread(const int* offsets, const int* targets, const int* in, int inSize,
                             int* out, int* outSize, int* distance, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= inSize)
    return;
  int v = in[i];
  for (int e = offsets[v]; e < offsets[v + 1]; ++e) {
    int u = targets[e];
    if (atomicCAS(&distance[u], -1, depth) == -1)
      out[atomicAdd(outSize, 1)] = u;
  }
}

// a warp takes a vertex of the frontier; appends are gathered by ballot
__global__ void expandWarp(const int* __restrict__ offsets, const int* __restrict__ targets,
                           const int* __restrict__ in, int inSize, int* out, int* outSize,
                           int* distance, int depth) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x & 31;
  int warps = gridDim.x * blockDim.x / 32;
  for (int i = warp; i < inSize; i += warps) {
    int v = in[i];
    int begin = offsets[v], end = offsets[v + 1];
    for (int base = begin; base < end; base += 32) {
      bool fresh = false;
      int u = -1;
      if (base + lane < end) {
        u = targets[base + lane];
        if (*(volatile int*)(distance + u) == -1)
          fresh = atomicCAS(&distance[u], -1, depth) == -1;
      }
      unsigned mask = __ballot_sync(~0u, fresh);
      int where = 0;
      if (lane == 0 && mask)
        where = atomicAdd(outSize, __popc(mask));
      where = __shfl_sync(~0u, where, 0);
      if (fresh)
        out[where + __popc(mask & ((1u << lane) - 1))] = u;
    }
  }
}

__global__ void depthHistogram(const int* distance, int n, int* histogram) {
  __shared__ int bins[32];
  if (threadIdx.x < 32)
    bins[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[distance[i] < 0 ? 31 : min(distance[i], 30)], 1);
  __syncthreads();
  if (threadIdx.x < 32 && bins[threadIdx.x])
    atomicAdd(&histogram[threadIdx.x], bins[threadIdx.x]);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 8000;
  Graph g = makeGraph(n, 8);
  int *offsets, *targets, *queue[2], *sizes, *distance, *histogram;
  GPU_CHECK(cudaMalloc(&offsets, g.offsets.size() * 4));
  GPU_CHECK(cudaMalloc(&targets, g.targets.size() * 4));
  GPU_CHECK(cudaMalloc(&queue[0], n * 4));
  GPU_CHECK(cudaMalloc(&queue[1], n * 4));
  GPU_CHECK(cudaMalloc(&sizes, 8));
  GPU_CHECK(cudaMalloc(&distance, n * 4));
  GPU_CHECK(cudaMalloc(&histogram, 32 * 4));
  GPU_CHECK(cudaMemcpy(offsets, g.offsets.data(), g.offsets.size() * 4, cudaMemcpyHostToDevice));
  GPU_CHECK(cudaMemcpy(targets, g.targets.data(), g.targets.size() * 4, cudaMemcpyHostToDevice));

  const int sources[3] = {0, n / 3, n - 1};
  bool ok = true;
  int blocks = (n + 255) / 256;
  for (int s = 0; s < 3 && ok; ++s) {
    resetState<<<blocks, 256>>>(distance, n, sources[s], queue[0], sizes);
    int frontier = 1, flip = 0, depth = 0;
    while (frontier > 0) {
      ++depth;
      if (frontier > 500 && s != 1)
        expandWarp<<<std::min((frontier + 7) / 8, 2112), 256>>>(offsets, targets, queue[flip],
                                                                frontier, queue[1 - flip],
                                                                sizes + 1 - flip, distance, depth);
      else
        expandThread<<<(frontier + 255) / 256, 256>>>(offsets, targets, queue[flip], frontier,
                                                      queue[1 - flip], sizes + 1 - flip, distance,
                                                      depth);
      GPU_CHECK(cudaMemcpy(&frontier, sizes + 1 - flip, 4, cudaMemcpyDeviceToHost));
      GPU_CHECK(cudaMemset(sizes + flip, 0, 4));
      flip = 1 - flip;
    }
    GPU_CHECK(cudaMemset(histogram, 0, 32 * 4));
    depthHistogram<<<blocks, 256>>>(distance, n, histogram);
    int bins[32];
    vector<int> got(n);
    GPU_CHECK(cudaMemcpy(bins, histogram, sizeof bins, cudaMemcpyDeviceToHost));
    GPU_CHECK(cudaMemcpy(got.data(), distance, n * 4, cudaMemcpyDeviceToHost));

    vector<int> want(n, -1), q{sources[s]};
    want[sources[s]] = 0;
    for (size_t head = 0; head < q.size(); ++head)
      for (int e = g.offsets[q[head]]; e < g.offsets[q[head] + 1]; ++e)
        if (want[g.targets[e]] < 0) {
          want[g.targets[e]] = want[q[head]] + 1;
          q.push_back(g.targets[e]);
        }
    vector<int> wantBins(32, 0);
    for (int d : want)
      ++wantBins[d < 0 ? 31 : std::min(d, 30)];
    ok = got == want && std::equal(wantBins.begin(), wantBins.end(), bins);
    printf("source %d: depth %d, reached %zu\n", sources[s], depth - 1, q.size());
  }
  puts(ok ? "PASS" : "FAIL distances differ");
  return !ok;
}
