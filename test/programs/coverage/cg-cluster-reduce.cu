// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, clusters, clusters: distributed shared memory
// COVERS: clusters: arrive and wait
// A sum over clusters of 2 x 2 x 2 blocks: each block adds up its part, the first block of a
// cluster reads those of the others. What the groups say of themselves is checked against the
// indices.
#include <cstdio>
#include <cstdlib>
#include <utility>
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

#define THREADS 64
#define CLUSTER 8

__device__ unsigned wrong;

__device__ void need(bool fine, unsigned bit) {
  if (!fine)
    atomicOr(&wrong, 1u << bit);
}

__device__ void checkIdentity(cg::cluster_group cluster) {
  dim3 index = cluster.block_index(), blocks = cluster.dim_blocks();
  unsigned inBlock = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  need(blocks.x == 2 && blocks.y == 2 && blocks.z == 2, 0);
  need(index.x == blockIdx.x % 2 && index.y == blockIdx.y % 2 && index.z == blockIdx.z % 2, 1);
  need(cluster.block_rank() == index.x + 2 * (index.y + 2 * index.z), 2);
  need(cluster.num_blocks() == CLUSTER, 3);
  need(cluster.num_threads() == CLUSTER * THREADS && cluster.size() == CLUSTER * THREADS, 4);
  need(cluster.thread_rank() == cluster.block_rank() * THREADS + inBlock, 5);
  dim3 threads = cluster.dim_threads(), thread = cluster.thread_index();
  need(threads.x == 2 * blockDim.x && threads.y == 2 * blockDim.y && threads.z == 2 * blockDim.z,
       6);
  need(thread.x == index.x * blockDim.x + threadIdx.x &&
           thread.y == index.y * blockDim.y + threadIdx.y &&
           thread.z == index.z * blockDim.z + threadIdx.z,
       7);
  cg::grid_group grid = cg::this_grid();
  dim3 place = grid.cluster_index(), all = grid.dim_clusters();
  need(all.x == gridDim.x / 2 && all.y == gridDim.y / 2 && all.z == gridDim.z / 2, 8);
  need(place.x == blockIdx.x / 2 && place.y == blockIdx.y / 2 && place.z == blockIdx.z / 2, 9);
  need(grid.cluster_rank() == place.x + all.x * (place.y + (unsigned long long)all.y * place.z),
       10);
  need(grid.num_clusters() == (unsigned long long)all.x * all.y * all.z, 11);
}

// Blocks take parts of the input in the order of the grid.
__global__ void __cluster_dims__(2, 2, 2) reduce(const int* in, int each, long long* sums) {
  __shared__ long long part[THREADS];
  __shared__ long long total;
  cg::cluster_group cluster = cg::this_cluster();
  checkIdentity(cluster);
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = (int)(cluster.thread_rank() % THREADS);
  long long sum = 0;
  for (int i = thread; i < each; i += THREADS)
    sum += in[block * each + i];
  part[thread] = sum;
  for (int half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half)
      part[thread] += part[thread + half];
  }
  if (thread == 0)
    total = part[0];
  auto token = cluster.barrier_arrive();
  need(cluster.query_shared_rank(&total) == cluster.block_rank(), 12);
  cluster.barrier_wait(std::move(token));
  if (cluster.block_rank() == 0 && thread < CLUSTER) {
    long long* there = cluster.map_shared_rank(&total, thread);
    need(cluster.query_shared_rank(there) == (unsigned)thread, 13);
    need((there == &total) == (thread == 0), 14);
    atomicAdd((unsigned long long*)&sums[cg::this_grid().cluster_rank()],
              (unsigned long long)*there);
  }
  cluster.sync(); // nobody leaves while its total is read
}

int main(int argc, char** argv) {
  int each = argc > 1 ? atoi(argv[1]) : 500;
  dim3 grid(4, 2, 4), block(16, 2, 2);
  int blocks = 32, clusters = 4;
  std::vector<int> in(blocks * each);
  std::vector<long long> want(clusters, 0), got(clusters);
  for (int b = 0; b < blocks; ++b)
    for (int i = 0; i < each; ++i) {
      int x = b % 4, y = b / 4 % 2, z = b / 8;
      in[b * each + i] = (int)((b * 7919ll + i * 104729ll) % 100003) - 50000;
      want[x / 2 + 2 * (y / 2 + 1 * (z / 2))] += in[b * each + i];
    }
  int* din;
  long long* dsums;
  CK(cudaMalloc(&din, in.size() * sizeof(int)));
  CK(cudaMalloc(&dsums, clusters * sizeof(long long)));
  CK(cudaMemcpy(din, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice));
  CK(cudaMemset(dsums, 0, clusters * sizeof(long long)));
  reduce<<<grid, block>>>(din, each, dsums);
  CK(cudaGetLastError());
  CK(cudaMemcpy(got.data(), dsums, clusters * sizeof(long long), cudaMemcpyDeviceToHost));
  unsigned bits = 0;
  CK(cudaMemcpyFromSymbol(&bits, wrong, sizeof bits));
  bool ok = got == want && bits == 0;
  for (int c = 0; c < clusters; ++c)
    printf("cluster %d: %lld, expected %lld\n", c, got[c], want[c]);
  printf("wrong: %#x\n", bits);
  CK(cudaFree(din));
  CK(cudaFree(dsums));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
