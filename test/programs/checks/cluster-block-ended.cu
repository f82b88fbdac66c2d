// SPDX-License-Identifier: Apache-2.0
// STOPS: in the shared memory of block 1 of its cluster, which has ended
// Shared memory of a block that does not wait for those that read it.
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2) early(int* out) {
  __shared__ int box;
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0)
    box = (int)cluster.block_rank();
  cluster.sync();
  if (cluster.block_rank() == 1)
    return;
  int* there = cluster.map_shared_rank(&box, 1);
  cluster.sync();            // who has returned does not come
  out[threadIdx.x] = *there; // HERE
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  early<<<2, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
