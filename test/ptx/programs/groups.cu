// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int v = tile.shfl_xor(threadIdx.x, 3) + tile.meta_group_rank();
  block.sync();
  out[threadIdx.x] = v;
}
int main() {
  int *d, h[64];
  cudaMalloc(&d, sizeof h);
  k<<<1, 64>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[5], h[63]);
}
