// SPDX-License-Identifier: Apache-2.0
// Minimum spanning forest by Boruvka's rounds with 64-bit atomicMin over packed weights and edges.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using u64 = unsigned long long;

static inline void gpu(cudaError_t e, int line) {
  if (e != cudaSuccess) {
    printf("FAIL line %d: %s\n", line, cudaGetErrorString(e));
    exit(1);
  }
}
#define GPU(x) gpu(x, __LINE__)

constexpr u64 NONE = ~0ull;

struct EdgeList {
  const int* u;
  const int* v;
  const unsigned* w;
  int count;
};

__global__ void clearBest(u64* best, int* comp, int n, bool first) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n)
    return;
  best[i] = NONE;
  if (first)
    comp[i] = i;
}

__global__ void lightest(EdgeList g, const int* comp, u64* best) {
  int stride = blockDim.x * gridDim.x;
  for (int e = blockDim.x * blockIdx.x + threadIdx.x; e < g.count; e += stride) {
    int a = comp[g.u[e]], b = comp[g.v[e]];
    if (a == b)
      continue;
    u64 key = ((u64)g.w[e] << 32) | (unsigned)e; // no two keys are equal
    if (key < best[a])
      atomicMin(&best[a], key);
    if (key < best[b])
      atomicMin(&best[b], key);
  }
}

__global__ void hook(EdgeList g, const int* comp, const u64* best, int* parent,
                     unsigned char* taken, u64* weight, int* joined, int n) {
  int c = blockDim.x * blockIdx.x + threadIdx.x;
  u64 add = 0;
  int joins = 0;
  if (c < n) {
    parent[c] = c;
    u64 key = best[c];
    if (comp[c] == c && key != NONE) {
      int e = (int)(unsigned)key;
      int a = comp[g.u[e]], b = comp[g.v[e]];
      int other = a == c ? b : a;
      // of two components that choose the same edge, the smaller one stays a root
      if (best[other] != key || c > other) {
        parent[c] = other;
        taken[e] = 1;
        add = g.w[e];
        joins = 1;
      }
    }
  }
  for (int o = 16; o > 0; o >>= 1) {
    add += __shfl_down_sync(0xffffffffu, add, o);
    joins += __shfl_down_sync(0xffffffffu, joins, o);
  }
  if (threadIdx.x % 32 == 0 && joins) {
    atomicAdd(weight, add);
    atomicAdd(joined, joins);
  }
}

__global__ void relabel(const int* parent, int* comp, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n)
    return;
  int c = comp[i];
  while (parent[c] != c)
    c = parent[c];
  comp[i] = c;
}

static int rootOf(std::vector<int>& p, int x) {
  while (p[x] != x)
    x = p[x] = p[p[x]];
  return x;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 6000;
  std::vector<int> u, v;
  std::vector<unsigned> w;
  uint64_t s = 7;
  auto next = [&]() {
    s = s * 2862933555777941757ull + 3037000493ull;
    return (unsigned)(s >> 33);
  };
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 6; ++k) {
      int j = k == 0 ? (i + 1) % n : (int)(next() % n);
      if (j == i)
        continue;
      u.push_back(i);
      v.push_back(j);
      w.push_back(1 + next() % 100000);
    }
  }
  int m = (int)u.size();

  int *du, *dv, *comp, *parent, *joined;
  unsigned* dw;
  u64 *best, *weight;
  unsigned char* taken;
  GPU(cudaMalloc(&du, m * sizeof(int)));
  GPU(cudaMalloc(&dv, m * sizeof(int)));
  GPU(cudaMalloc(&dw, m * sizeof(unsigned)));
  GPU(cudaMalloc(&taken, m));
  GPU(cudaMalloc(&comp, n * sizeof(int)));
  GPU(cudaMalloc(&parent, n * sizeof(int)));
  GPU(cudaMalloc(&best, n * sizeof(u64)));
  GPU(cudaMalloc(&weight, sizeof(u64)));
  GPU(cudaMalloc(&joined, sizeof(int)));
  GPU(cudaMemcpy(du, u.data(), m * sizeof(int), cudaMemcpyHostToDevice));
  GPU(cudaMemcpy(dv, v.data(), m * sizeof(int), cudaMemcpyHostToDevice));
  GPU(cudaMemcpy(dw, w.data(), m * sizeof(unsigned), cudaMemcpyHostToDevice));
  GPU(cudaMemset(taken, 0, m));
  GPU(cudaMemset(weight, 0, sizeof(u64)));

  EdgeList g{du, dv, dw, m};
  int grid = (n + 255) / 256;
  int rounds = 0, joins = 1;
  while (joins > 0) {
    clearBest<<<grid, 256>>>(best, comp, n, rounds == 0);
    lightest<<<std::min((m + 255) / 256, 1056), 256>>>(g, comp, best);
    GPU(cudaMemset(joined, 0, sizeof(int)));
    hook<<<grid, 256>>>(g, comp, best, parent, taken, weight, joined, n);
    relabel<<<grid, 256>>>(parent, comp, n);
    GPU(cudaMemcpy(&joins, joined, sizeof(int), cudaMemcpyDeviceToHost));
    ++rounds;
  }
  u64 total;
  std::vector<unsigned char> chosen(m);
  GPU(cudaMemcpy(&total, weight, sizeof total, cudaMemcpyDeviceToHost));
  GPU(cudaMemcpy(chosen.data(), taken, m, cudaMemcpyDeviceToHost));

  // Kruskal with the same order of edges chooses the same ones
  std::vector<u64> keys(m);
  for (int e = 0; e < m; ++e)
    keys[e] = ((u64)w[e] << 32) | (unsigned)e;
  std::sort(keys.begin(), keys.end());
  std::vector<int> p(n);
  for (int i = 0; i < n; ++i)
    p[i] = i;
  u64 want = 0;
  int wrong = 0;
  for (u64 key : keys) {
    int e = (int)(unsigned)key;
    int a = rootOf(p, u[e]), b = rootOf(p, v[e]);
    bool take = a != b;
    if (take) {
      p[a] = b;
      want += w[e];
    }
    wrong += take != (bool)chosen[e];
  }
  printf("%d rounds, weight %llu\n", rounds, total);
  if (wrong || want != total) {
    printf("FAIL %d edges differ, weight should be %llu\n", wrong, want);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
