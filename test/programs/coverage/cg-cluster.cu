// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, clusters, clusters: distributed shared memory
// A histogram whose bins are spread over the shared memory of a cluster of two blocks, and a ring
// of four blocks launched with a cluster attribute.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define CK(x)                                                                                      \
  do {                                                                                             \
    cudaError_t s = (x);                                                                           \
    if (s != cudaSuccess) {                                                                        \
      printf("%s: %s\nFAIL\n", #x, cudaGetErrorString(s));                                         \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

constexpr int BINS = 64; // of one block; a cluster has twice as many

__global__ void __cluster_dims__(2, 1, 1) histogram(const int* in, int n, int* bins) {
  __shared__ int local[BINS];
  cg::cluster_group cluster = cg::this_cluster();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    local[b] = 0;
  cluster.sync();
  int step = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    int bin = in[i];
    int* remote = cluster.map_shared_rank(local, bin / BINS);
    atomicAdd(remote + bin % BINS, 1);
  }
  cluster.sync();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * BINS + b], local[b]);
}

__global__ void ring(int* out) {
  __shared__ int box;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank(), size = cluster.num_blocks();
  if (threadIdx.x == 0)
    box = (int)(blockIdx.x * 10);
  cluster.sync();
  int* next = cluster.map_shared_rank(&box, (rank + 1) % size);
  int seen = *next;
  cluster.sync(); // nobody leaves while its box is read
  if (threadIdx.x == 0)
    out[blockIdx.x] = seen * 100 + (int)(rank * 10 + size);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4000;
  std::vector<int> in(n), want(2 * BINS, 0), got(2 * BINS);
  for (int i = 0; i < n; ++i)
    ++want[in[i] = (int)((long long)i * i % (2 * BINS))];
  int *din, *dbins, *dring, seen[8];
  CK(cudaMalloc(&din, n * sizeof(int)));
  CK(cudaMalloc(&dbins, got.size() * sizeof(int)));
  CK(cudaMalloc(&dring, sizeof seen));
  CK(cudaMemcpy(din, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CK(cudaMemset(dbins, 0, got.size() * sizeof(int)));
  histogram<<<4, 128>>>(din, n, dbins);
  CK(cudaGetLastError());
  CK(cudaMemcpy(got.data(), dbins, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(8);
  config.blockDim = dim3(32);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 4;
  attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  CK(cudaLaunchKernelEx(&config, ring, dring));
  CK(cudaMemcpy(seen, dring, sizeof seen, cudaMemcpyDeviceToHost));
  bool ok = got == want;
  for (int b = 0; b < 8; ++b) {
    int next = b / 4 * 4 + (b + 1) % 4;
    if (seen[b] != next * 10 * 100 + b % 4 * 10 + 4) {
      printf("block %d saw %d\n", b, seen[b]);
      ok = false;
    }
  }
  cudaFree(din), cudaFree(dbins), cudaFree(dring);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
