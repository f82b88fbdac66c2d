// SPDX-License-Identifier: Apache-2.0
// STOPS: waits at the cluster's barrier, at which it has not arrived
// Half of the threads wait for others without having arrived.
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2) some(int* out) {
  if (threadIdx.x < 16)
    asm volatile("barrier.cluster.arrive;" : : : "memory");
  asm volatile("barrier.cluster.wait;" : : : "memory"); // HERE
  out[threadIdx.x] = 1;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  some<<<2, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
