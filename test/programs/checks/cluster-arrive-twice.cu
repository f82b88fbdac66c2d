// SPDX-License-Identifier: Apache-2.0
// STOPS: thread (0,0,0) of block (0,0,0) arrives at the cluster's barrier again before it has waited
// Two arrivals without a wait between them.
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2) twice() {
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  cluster.barrier_arrive();
  cluster.sync(); // HERE
}

int main() {
  twice<<<2, 32>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
