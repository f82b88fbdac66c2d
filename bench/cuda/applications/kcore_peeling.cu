// SPDX-License-Identifier: Apache-2.0
// Core numbers of all vertices by peeling: a scan fills queues of blocks, a loop empties them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define NUM_BLOCKS 96
#define BLOCK_SIZE 256
#define WARP 32

#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
static void HandleError(cudaError_t err, const char* file, int line) {
  if (err != cudaSuccess) {
    printf("FAIL %s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}

__global__ void computeDegrees(const int* rowPtr, int* degree, int numVertices) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < numVertices) {
    degree[tid] = rowPtr[tid + 1] - rowPtr[tid];
  }
}

// every block collects the vertices of degree k among those it looks at
__global__ void scanKernel(const int* degree, int numVertices, int k, int* queues, int* tails) {
  __shared__ int tail;
  if (threadIdx.x == 0)
    tail = 0;
  __syncthreads();
  int* queue = queues + (size_t)blockIdx.x * numVertices;
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < numVertices;
       v += gridDim.x * blockDim.x) {
    if (degree[v] == k) {
      int pos = atomicAdd(&tail, 1);
      queue[pos] = v;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0)
    tails[blockIdx.x] = tail;
}

// every block works on its queue until it is empty; a vertex whose degree falls to k joins it
__global__ void loopKernel(const int* __restrict__ rowPtr, const int* __restrict__ colIdx,
                           int* degree, int numVertices, int k, int* queues, const int* tails,
                           int* removed) {
  __shared__ int tail;
  int* queue = queues + (size_t)blockIdx.x * numVertices;
  if (threadIdx.x == 0)
    tail = tails[blockIdx.x];
  __syncthreads();
  const int warpId = threadIdx.x / WARP;
  const int laneId = threadIdx.x % WARP;
  const int numWarps = BLOCK_SIZE / WARP;
  int head = 0;
  while (true) {
    int end = tail;
    __syncthreads();
    if (head == end)
      break;
    for (int i = head + warpId; i < end; i += numWarps) {
      int v = ((volatile int*)queue)[i];
      for (int j = rowPtr[v] + laneId; j < rowPtr[v + 1]; j += WARP) {
        int u = colIdx[j];
        if (((volatile int*)degree)[u] > k) {
          int old = atomicSub(&degree[u], 1);
          if (old == k + 1)
            queue[atomicAdd(&tail, 1)] = u;
          else if (old <= k)
            atomicAdd(&degree[u], 1);
        }
      }
    }
    head = end;
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(removed, head);
}

__global__ void coreHistogram(const int* degree, int numVertices, int* hist, int bins) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < numVertices)
    atomicAdd(&hist[min(degree[tid], bins - 1)], 1);
}

static std::vector<int> hostCores(const std::vector<int>& rowPtr, const std::vector<int>& colIdx) {
  int n = (int)rowPtr.size() - 1;
  std::vector<int> deg(n), core(n, -1);
  int maxDeg = 0;
  for (int v = 0; v < n; v++) {
    deg[v] = rowPtr[v + 1] - rowPtr[v];
    maxDeg = std::max(maxDeg, deg[v]);
  }
  std::vector<std::vector<int>> bucket(maxDeg + 1);
  for (int v = 0; v < n; v++)
    bucket[deg[v]].push_back(v);
  for (int d = 0; d <= maxDeg; d++) {
    for (size_t i = 0; i < bucket[d].size(); i++) {
      int v = bucket[d][i];
      if (core[v] >= 0 || deg[v] > d)
        continue;
      core[v] = d;
      for (int j = rowPtr[v]; j < rowPtr[v + 1]; j++) {
        int u = colIdx[j];
        if (core[u] < 0 && deg[u] > d) {
          deg[u]--;
          bucket[deg[u]].push_back(u);
        }
      }
    }
  }
  return core;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 5000;
  std::vector<std::pair<int, int>> e;
  unsigned int state = 31337u;
  for (int v = 1; v < n; v++) {
    state = state * 1664525u + 1013904223u;
    int d = 1 + (state >> 24) % 16;
    for (int k = 0; k < d; k++) {
      state = state * 1664525u + 1013904223u;
      // a core of well-connected vertices at small numbers
      int u = (k & 1) ? (state >> 8) % v : (state >> 8) % (v / 8 + 1);
      if (u == v)
        continue;
      e.push_back(std::make_pair(u, v));
      e.push_back(std::make_pair(v, u));
    }
  }
  std::sort(e.begin(), e.end());
  e.erase(std::unique(e.begin(), e.end()), e.end());
  std::vector<int> rowPtr(n + 1, 0), colIdx(e.size());
  for (size_t i = 0; i < e.size(); i++) {
    rowPtr[e[i].first + 1]++;
    colIdx[i] = e[i].second;
  }
  for (int v = 0; v < n; v++)
    rowPtr[v + 1] += rowPtr[v];

  const int bins = 64;
  int *dRowPtr, *dColIdx, *dDegree, *dQueues, *dTails, *dRemoved, *dHist;
  HANDLE_ERROR(cudaMalloc((void**)&dRowPtr, (n + 1) * sizeof(int)));
  HANDLE_ERROR(cudaMalloc((void**)&dColIdx, e.size() * sizeof(int)));
  HANDLE_ERROR(cudaMalloc((void**)&dDegree, n * sizeof(int)));
  HANDLE_ERROR(cudaMalloc((void**)&dQueues, (size_t)NUM_BLOCKS * n * sizeof(int)));
  HANDLE_ERROR(cudaMalloc((void**)&dTails, NUM_BLOCKS * sizeof(int)));
  HANDLE_ERROR(cudaMalloc((void**)&dRemoved, sizeof(int)));
  HANDLE_ERROR(cudaMalloc((void**)&dHist, bins * sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dRowPtr, rowPtr.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dColIdx, colIdx.data(), e.size() * sizeof(int), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(dRemoved, 0, sizeof(int)));
  HANDLE_ERROR(cudaMemset(dHist, 0, bins * sizeof(int)));

  computeDegrees<<<(n + 255) / 256, 256>>>(dRowPtr, dDegree, n);
  int removed = 0, k = 0;
  while (removed < n && k < 1000) {
    scanKernel<<<NUM_BLOCKS, BLOCK_SIZE>>>(dDegree, n, k, dQueues, dTails);
    loopKernel<<<NUM_BLOCKS, BLOCK_SIZE>>>(dRowPtr, dColIdx, dDegree, n, k, dQueues, dTails,
                                           dRemoved);
    HANDLE_ERROR(cudaMemcpy(&removed, dRemoved, sizeof(int), cudaMemcpyDeviceToHost));
    k++;
  }
  coreHistogram<<<(n + 255) / 256, 256>>>(dDegree, n, dHist, bins);
  HANDLE_ERROR(cudaGetLastError());

  std::vector<int> core(n), hist(bins), expectedHist(bins, 0);
  HANDLE_ERROR(cudaMemcpy(core.data(), dDegree, n * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(hist.data(), dHist, bins * sizeof(int), cudaMemcpyDeviceToHost));
  std::vector<int> expected = hostCores(rowPtr, colIdx);
  for (int c : expected)
    expectedHist[std::min(c, bins - 1)]++;
  printf("largest core number %d, edges %zu\n", k - 1, e.size() / 2);
  if (core != expected || hist != expectedHist) {
    printf("FAIL core numbers differ\n");
    return 1;
  }
  printf("PASS\n");
  cudaFree(dRowPtr);
  cudaFree(dColIdx);
  cudaFree(dDegree);
  cudaFree(dQueues);
  cudaFree(dTails);
  cudaFree(dRemoved);
  cudaFree(dHist);
  return 0;
}
