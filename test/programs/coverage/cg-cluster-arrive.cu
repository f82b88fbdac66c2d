// SPDX-License-Identifier: Apache-2.0
// COVERS: clusters, clusters: arrive and wait
// What threads do between arriving at the cluster's barrier and waiting there: meet others that have
// waited already, at a barrier of the block and by a word in memory.
#include <cstdio>
#include <cstdlib>
#include <utility>

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

// The first warp waits at once, the second one after both have met at barrier 1.
__global__ void __cluster_dims__(2) apart(int* out) {
  __shared__ int box;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    box = 10 + (int)cluster.block_rank();
  auto token = cluster.barrier_arrive();
  if (threadIdx.x < 32) {
    cluster.barrier_wait(std::move(token));
    int seen = *cluster.map_shared_rank(&box, cluster.block_rank() ^ 1);
    asm volatile("bar.sync 1, 64;" : : : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = seen;
  } else {
    asm volatile("bar.sync 1, 64;" : : : "memory");
    cluster.barrier_wait(std::move(token));
    out[blockIdx.x * 64 + threadIdx.x] = *cluster.map_shared_rank(&box, cluster.block_rank() ^ 1);
  }
  cluster.sync();
}

// Block 0 has arrived and looks for the word that block 1 writes after it has waited.
__global__ void __cluster_dims__(2) handshake(volatile int* flag, int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  auto token = cluster.barrier_arrive();
  if (rank == 0) {
    while (*flag == 0) {
    }
    cluster.barrier_wait(std::move(token));
  } else {
    cluster.barrier_wait(std::move(token));
    if (threadIdx.x == 0)
      *flag = 7;
  }
  cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = *flag;
}

// A thread that has returned is not waited for.
__global__ void __cluster_dims__(2) returned(int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  if (cluster.block_rank() == 1 && threadIdx.x % 2 == 1)
    return;
  for (int i = 0; i < 3; ++i)
    cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

static bool ok = true;

void expect(const int* device, int at, int want, const char* what) {
  int got = 0;
  CK(cudaMemcpy(&got, device + at, sizeof got, cudaMemcpyDeviceToHost));
  if (got != want) {
    printf("%s: [%d] is %d, expected %d\n", what, at, got, want);
    ok = false;
  }
}

int main() {
  int *out, *flag;
  CK(cudaMalloc(&out, 128 * sizeof(int)));
  CK(cudaMalloc(&flag, sizeof(int)));
  apart<<<2, 64>>>(out);
  CK(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i)
    expect(out, i, i < 64 ? 11 : 10, "apart");
  CK(cudaMemset(flag, 0, sizeof(int)));
  handshake<<<2, 64>>>(flag, out);
  CK(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i)
    expect(out, i, 7, "handshake");
  CK(cudaMemset(out, 0, 128 * sizeof(int)));
  returned<<<2, 64>>>(out);
  CK(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i)
    expect(out, i, i < 64 || i % 2 == 0 ? 1 : 0, "returned");
  CK(cudaFree(out));
  CK(cudaFree(flag));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
