// SPDX-License-Identifier: Apache-2.0
// Counts the triangles of a graph by intersecting sorted neighbour lists, in three ways.
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

typedef unsigned long long u64;

#define CK(x)                                                                                      \
  if ((x) != cudaSuccess) {                                                                        \
    printf("FAIL %s (line %d)\n", cudaGetErrorString(cudaGetLastError()), __LINE__);               \
    exit(1);                                                                                       \
  }

// merges two sorted lists, one thread for each directed edge
__global__ void tri_merge(int m, const int* src, const int* dst, const int* off, const int* adj,
                          u64* total, int* per_vertex) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  int found = 0;
  if (e < m) {
    int u = src[e], v = dst[e];
    int i = off[u], ie = off[u + 1];
    int j = off[v], je = off[v + 1];
    while (i < ie && j < je) {
      int a = adj[i], b = adj[j];
      if (a == b) {
        atomicAdd(&per_vertex[a], 1);
        found++;
        i++;
        j++;
      } else if (a < b)
        i++;
      else
        j++;
    }
    if (found) {
      atomicAdd(&per_vertex[u], found);
      atomicAdd(&per_vertex[v], found);
      atomicAdd(total, (u64)found);
    }
  }
}

// a warp for each edge: lanes take elements of the shorter list and look them up in the longer one
__global__ void tri_search(int m, const int* __restrict__ src, const int* __restrict__ dst,
                           const int* __restrict__ off, const int* __restrict__ adj, u64* total) {
  int lane = threadIdx.x % 32;
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int warps = gridDim.x * blockDim.x / 32;
  u64 mine = 0;
  for (int e = warp; e < m; e += warps) {
    int u = src[e], v = dst[e];
    int ul = off[u + 1] - off[u], vl = off[v + 1] - off[v];
    if (ul > vl) {
      int t = u;
      u = v;
      v = t;
      t = ul;
      ul = vl;
      vl = t;
    }
    const int* longer = adj + off[v];
    for (int k = lane; k < ul; k += 32) {
      int key = adj[off[u] + k];
      int lo = 0, hi = vl;
      while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (longer[mid] < key)
          lo = mid + 1;
        else
          hi = mid;
      }
      mine += lo < vl && longer[lo] == key;
    }
  }
  for (int d = 16; d > 0; d /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, d);
  if (lane == 0)
    atomicAdd(total, mine);
}

// a block for each vertex: its neighbours lie in a small hash table in shared memory
#define SLOTS 512
__global__ void tri_hash(int first, int n, const int* off, const int* adj, u64* total) {
  __shared__ int table[SLOTS];
  int u = first + blockIdx.x;
  if (u >= n)
    return;
  int beg = off[u], len = off[u + 1] - beg;
  if (len < 2)
    return;
  for (int i = threadIdx.x; i < SLOTS; i += blockDim.x)
    table[i] = -1;
  __syncthreads();
  for (int i = threadIdx.x; i < len; i += blockDim.x) {
    int key = adj[beg + i];
    int h = (key * 40503u) % SLOTS;
    while (atomicCAS(&table[h], -1, key) != -1)
      h = (h + 1) % SLOTS;
  }
  __syncthreads();
  int found = 0;
  for (int i = 0; i < len; i++) {
    int v = adj[beg + i];
    for (int k = off[v] + threadIdx.x; k < off[v + 1]; k += blockDim.x) {
      int key = adj[k];
      int h = (key * 40503u) % SLOTS;
      while (table[h] != -1 && table[h] != key)
        h = (h + 1) % SLOTS;
      found += table[h] == key;
    }
  }
  for (int d = 16; d > 0; d /= 2)
    found += __shfl_down_sync(0xffffffff, found, d);
  if (threadIdx.x % 32 == 0 && found)
    atomicAdd(total, (u64)found);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3000;
  unsigned s = 2024u;
  std::vector<u64> pairs;
  for (int v = 0; v < n; v++) {
    int d = 8;
    for (int k = 0; k < d; k++) {
      s = s * 1664525u + 1013904223u;
      int u;
      if (k < 6)
        u = v + 1 + (s >> 9) % 24; // near: many triangles
      else
        u = (s >> 5) % n;
      if (u >= n || u == v)
        continue;
      pairs.push_back(((u64)std::min(u, v) << 32) | (unsigned)std::max(u, v));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  int m = (int)pairs.size();
  std::vector<int> deg(n, 0), src(m), dst(m), off(n + 1, 0), adj(m);
  for (u64 p : pairs) {
    deg[p >> 32]++;
    deg[(unsigned)p]++;
  }
  // from the smaller to the larger degree
  std::vector<std::pair<int, int>> directed;
  for (u64 p : pairs) {
    int a = (int)(p >> 32), b = (int)(unsigned)p;
    if (deg[a] > deg[b] || (deg[a] == deg[b] && a > b))
      std::swap(a, b);
    directed.push_back({a, b});
  }
  std::sort(directed.begin(), directed.end());
  for (int e = 0; e < m; e++) {
    src[e] = directed[e].first;
    dst[e] = adj[e] = directed[e].second;
    off[src[e] + 1]++;
  }
  for (int v = 0; v < n; v++)
    off[v + 1] += off[v];

  int *d_src, *d_dst, *d_off, *d_adj, *d_per;
  u64* d_total;
  CK(cudaMalloc(&d_src, m * sizeof(int)));
  CK(cudaMalloc(&d_dst, m * sizeof(int)));
  CK(cudaMalloc(&d_adj, m * sizeof(int)));
  CK(cudaMalloc(&d_off, (n + 1) * sizeof(int)));
  CK(cudaMalloc(&d_per, n * sizeof(int)));
  CK(cudaMalloc(&d_total, 3 * sizeof(u64)));
  CK(cudaMemcpy(d_src, src.data(), m * sizeof(int), cudaMemcpyHostToDevice));
  CK(cudaMemcpy(d_dst, dst.data(), m * sizeof(int), cudaMemcpyHostToDevice));
  CK(cudaMemcpy(d_adj, adj.data(), m * sizeof(int), cudaMemcpyHostToDevice));
  CK(cudaMemcpy(d_off, off.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice));
  CK(cudaMemset(d_per, 0, n * sizeof(int)));
  CK(cudaMemset(d_total, 0, 3 * sizeof(u64)));

  tri_merge<<<(m + 127) / 128, 128>>>(m, d_src, d_dst, d_off, d_adj, d_total, d_per);
  tri_search<<<264, 256>>>(m, d_src, d_dst, d_off, d_adj, d_total + 1);
  int part = (n + 2) / 3;
  for (int p = 0; p < 3; p++)
    tri_hash<<<part, 64>>>(p * part, std::min(n, (p + 1) * part), d_off, d_adj, d_total + 2);
  CK(cudaDeviceSynchronize());

  u64 total[3];
  std::vector<int> per(n), want(n, 0);
  CK(cudaMemcpy(total, d_total, sizeof total, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(per.data(), d_per, n * sizeof(int), cudaMemcpyDeviceToHost));
  u64 expect = 0;
  std::vector<int> mark(n, -1);
  for (int u = 0; u < n; u++) {
    for (int k = off[u]; k < off[u + 1]; k++)
      mark[adj[k]] = u;
    for (int k = off[u]; k < off[u + 1]; k++)
      for (int l = off[adj[k]]; l < off[adj[k] + 1]; l++)
        if (mark[adj[l]] == u) {
          expect++;
          want[u]++;
          want[adj[k]]++;
          want[adj[l]]++;
        }
  }
  printf("edges %d triangles %llu\n", m, expect);
  if (total[0] != expect || total[1] != expect || total[2] != expect || per != want) {
    printf("FAIL counted %llu %llu %llu\n", total[0], total[1], total[2]);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
