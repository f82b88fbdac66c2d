// SPDX-License-Identifier: Apache-2.0
#pragma once

constexpr int INF = 1 << 29;

struct CsrGraph
{
  int numVertices;
  int numEdges;
  int* rowPtr;
  int* colIdx;
  int* weight;
};

__global__ void initDistances(int* dist, int* nextDist, char* active, int source, int n)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int d = (v == source) ? 0 : INF;
  dist[v] = d;
  nextDist[v] = d;
  active[v] = (v == source);
}

// Relaxes the edges that leave an active vertex.
__global__ void relaxEdges(CsrGraph g, const int* dist, int* nextDist, const char* active)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.numVertices) return;
  if (!active[v]) return;
  int dv = dist[v];
  for (int e = g.rowPtr[v]; e < g.rowPtr[v + 1]; ++e)
  {
    int candidate = dv + g.weight[e];
    int u = g.colIdx[e];
    if (candidate < nextDist[u])
      atomicMin(&nextDist[u], candidate);
  }
}

__global__ void updateActive(int* dist, const int* nextDist, char* active, int* changed, int n)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  if (nextDist[v] < dist[v])
  {
    dist[v] = nextDist[v];
    active[v] = 1;
    atomicAdd(changed, 1);
  }
  else
    active[v] = 0;
}
