// SPDX-License-Identifier: Apache-2.0
// STOPS: in the shared memory of block 2 of its cluster, which has 2
// A rank that the cluster does not have.
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2) far(int* out) {
  __shared__ int box;
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  box = 1;
  cluster.sync();
  unsigned next = cluster.block_rank() + 1;
  out[threadIdx.x] = *cluster.map_shared_rank(&box, next); // HERE
  cluster.sync();
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  far<<<2, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
