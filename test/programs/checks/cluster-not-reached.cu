// SPDX-License-Identifier: Apache-2.0
// STOPS: waits for ever at the cluster's barrier: thread (32,0,0) of block (0,0,0) has not arrived
// A warp that goes to the block's barrier where the others go to the cluster's.
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2) part(int* out) {
  if (threadIdx.x < 32)
    cooperative_groups::this_cluster().sync(); // HERE
  else
    __syncthreads();
  out[threadIdx.x] = 1;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  part<<<2, 64>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
