// SPDX-License-Identifier: Apache-2.0
// Single source shortest paths on a road-like grid with a few long shortcuts.

#include <chrono>
#include <iostream>
#include <queue>
#include <random>
#include <tuple>
#include <vector>

#include <cuda_runtime.h>

#include "sssp_kernels.cuh"

inline void gpuAssert(cudaError_t code, const char* what)
{
  if (code != cudaSuccess)
  {
    std::cerr << what << ": " << cudaGetErrorString(code) << std::endl;
    std::exit(EXIT_FAILURE);
  }
}
#define GPU(x) gpuAssert((x), #x)

struct HostGraph
{
  std::vector<int> rowPtr, colIdx, weight;
};

HostGraph makeRoads(int side)
{
  std::mt19937 gen(2024);
  const int n = side * side;
  HostGraph g;
  g.rowPtr.push_back(0);
  auto add = [&](int to, int w) {
    g.colIdx.push_back(to);
    g.weight.push_back(w);
  };
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
    {
      if (x > 0) add(y * side + x - 1, 1 + gen() % 20);
      if (x + 1 < side) add(y * side + x + 1, 1 + gen() % 20);
      if (y > 0) add((y - 1) * side + x, 1 + gen() % 20);
      if (y + 1 < side) add((y + 1) * side + x, 1 + gen() % 20);
      if (gen() % 16 == 0)
      {
        int shortcuts = 1 + gen() % 24;
        for (int k = 0; k < shortcuts; ++k) add(gen() % n, 30 + gen() % 200);
      }
      g.rowPtr.push_back((int)g.colIdx.size());
    }
  return g;
}

std::vector<int> dijkstra(const HostGraph& g, int source)
{
  std::vector<int> dist(g.rowPtr.size() - 1, INF);
  using Item = std::pair<int, int>;
  std::priority_queue<Item, std::vector<Item>, std::greater<Item>> queue;
  dist[source] = 0;
  queue.push({0, source});
  while (!queue.empty())
  {
    int d, v;
    std::tie(d, v) = queue.top();
    queue.pop();
    if (d > dist[v]) continue;
    for (int e = g.rowPtr[v]; e < g.rowPtr[v + 1]; ++e)
      if (d + g.weight[e] < dist[g.colIdx[e]])
      {
        dist[g.colIdx[e]] = d + g.weight[e];
        queue.push({dist[g.colIdx[e]], g.colIdx[e]});
      }
  }
  return dist;
}

template <typename T>
T* upload(const std::vector<T>& v)
{
  T* p = nullptr;
  GPU(cudaMalloc(&p, v.size() * sizeof(T)));
  GPU(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

int main()
{
  const int side = 100, source = 17;
  HostGraph h = makeRoads(side);
  const int n = side * side;

  CsrGraph g;
  g.numVertices = n;
  g.numEdges = (int)h.colIdx.size();
  g.rowPtr = upload(h.rowPtr);
  g.colIdx = upload(h.colIdx);
  g.weight = upload(h.weight);

  int *dist, *nextDist, *changed;
  char* active;
  GPU(cudaMalloc(&dist, n * sizeof(int)));
  GPU(cudaMalloc(&nextDist, n * sizeof(int)));
  GPU(cudaMalloc(&active, n));
  GPU(cudaMalloc(&changed, sizeof(int)));

  const int threads = 128, blocks = (n + threads - 1) / threads;
  auto t0 = std::chrono::steady_clock::now();
  initDistances<<<blocks, threads>>>(dist, nextDist, active, source, n);
  int rounds = 0, howMany = 1;
  while (howMany != 0 && rounds < n)
  {
    GPU(cudaMemset(changed, 0, sizeof(int)));
    relaxEdges<<<blocks, threads>>>(g, dist, nextDist, active);
    updateActive<<<blocks, threads>>>(dist, nextDist, active, changed, n);
    GPU(cudaMemcpy(&howMany, changed, sizeof(int), cudaMemcpyDeviceToHost));
    ++rounds;
  }
  GPU(cudaDeviceSynchronize());
  auto t1 = std::chrono::steady_clock::now();

  std::vector<int> result(n);
  GPU(cudaMemcpy(result.data(), dist, n * sizeof(int), cudaMemcpyDeviceToHost));
  std::vector<int> reference = dijkstra(h, source);

  long long checksum = 0;
  for (int v = 0; v < n; ++v) checksum += (long long)result[v] * (v % 13 + 1);
  std::cout << "vertices " << n << " edges " << g.numEdges << " checksum " << checksum << "\n";
  std::cout << "elapsed " << std::chrono::duration<double, std::milli>(t1 - t0).count() << " ms\n";
  bool ok = result == reference;
  std::cout << (ok ? "Test passed" : "Test FAILED") << std::endl;

  cudaFree(g.rowPtr);
  cudaFree(g.colIdx);
  cudaFree(g.weight);
  cudaFree(dist);
  cudaFree(nextDist);
  cudaFree(active);
  cudaFree(changed);
  return ok ? 0 : 1;
}
