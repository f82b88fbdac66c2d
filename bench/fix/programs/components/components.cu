// SPDX-License-Identifier: Apache-2.0
// Connected components of an undirected graph: every edge hooks the larger root below the smaller one,
// then every vertex walks to its root.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include <cuda_runtime.h>

#define cudaCheck(call) { gpuAssert((call), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}

// Other threads may move the parents meanwhile; they only ever get smaller.
__device__ int find_root(volatile int *parent, int v) {
  while (parent[v] != v) {
    v = parent[v];
  }
  return v;
}

__device__ void unite(int *parent, int a, int b) {
  bool done = false;
  while (!done) {
    a = find_root(parent, a);
    b = find_root(parent, b);
    if (a == b) {
      done = true;
    } else if (a < b) {
      int old = atomicMin(&parent[b], a);
      done = (old == b);
      b = old;
    } else {
      int old = atomicMin(&parent[a], b);
      done = (old == a);
      a = old;
    }
  }
}

__global__ void init_parents(int *parent, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) parent[i] = i;
}

__global__ void hook(const int2 *edges, const unsigned char *removed, int *parent, int m) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m) return;
  if (removed[e]) return;
  unite(parent, edges[e].x, edges[e].y);
}

__global__ void flatten(int *parent, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  parent[i] = find_root(parent, i);
}

__global__ void count_roots(const int *parent, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && parent[i] == i) atomicAdd(count, 1);
}

static int cpu_find(std::vector<int> &p, int v) {
  while (p[v] != v) v = p[v] = p[p[v]];
  return v;
}

int main() {
  const int n = 60000, m = 52000;
  std::mt19937 rng(99);
  std::vector<int2> edges(m);
  std::vector<unsigned char> removed(m);
  for (int e = 0; e < m; ++e) {
    int a = rng() % n;
    int b = (e % 3 == 0) ? (int)(rng() % n) : std::min(n - 1, a + 1 + (int)(rng() % 40));
    edges[e] = make_int2(a, b);
    removed[e] = rng() % 5 == 0;
  }

  int2 *d_edges;
  unsigned char *d_removed;
  int *d_parent, *d_count;
  cudaCheck(cudaMalloc(&d_edges, m * sizeof(int2)));
  cudaCheck(cudaMalloc(&d_removed, m));
  cudaCheck(cudaMalloc(&d_parent, n * sizeof(int)));
  cudaCheck(cudaMalloc(&d_count, sizeof(int)));
  cudaCheck(cudaMemcpy(d_edges, edges.data(), m * sizeof(int2), cudaMemcpyHostToDevice));
  cudaCheck(cudaMemcpy(d_removed, removed.data(), m, cudaMemcpyHostToDevice));
  cudaCheck(cudaMemset(d_count, 0, sizeof(int)));

  const int tpb = 256;
  init_parents<<<(n + tpb - 1) / tpb, tpb>>>(d_parent, n);
  hook<<<(m + tpb - 1) / tpb, tpb>>>(d_edges, d_removed, d_parent, m);
  flatten<<<(n + tpb - 1) / tpb, tpb>>>(d_parent, n);
  count_roots<<<(n + tpb - 1) / tpb, tpb>>>(d_parent, d_count, n);
  cudaCheck(cudaPeekAtLastError());

  std::vector<int> label(n);
  int count = 0;
  cudaCheck(cudaMemcpy(label.data(), d_parent, n * sizeof(int), cudaMemcpyDeviceToHost));
  cudaCheck(cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost));

  std::vector<int> p(n);
  std::iota(p.begin(), p.end(), 0);
  for (int e = 0; e < m; ++e) {
    if (removed[e]) continue;
    int a = cpu_find(p, edges[e].x), b = cpu_find(p, edges[e].y);
    if (a != b) p[std::max(a, b)] = std::min(a, b);
  }
  int expected = 0, wrong = 0;
  std::vector<int> size(n, 0);
  for (int v = 0; v < n; ++v) {
    int r = cpu_find(p, v);
    if (r == v) ++expected;
    if (r != label[v]) ++wrong;
    ++size[r];
  }
  printf("components: %d (expected %d), largest %d, wrong labels %d\n", count, expected,
         *std::max_element(size.begin(), size.end()), wrong);

  cudaFree(d_edges);
  cudaFree(d_removed);
  cudaFree(d_parent);
  cudaFree(d_count);
  bool ok = count == expected && wrong == 0;
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
