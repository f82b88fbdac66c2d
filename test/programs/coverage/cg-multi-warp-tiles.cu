// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, cooperative groups: multi-warp tiles
// Tiles of 64 and 128 threads: sync, reduce and invoke_one over several warps.
#include <cstdio>
#include <cstdlib>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

template <int Size> __global__ void sums(const int* in, int* out, int* ranks) {
  __shared__ cg::block_tile_memory<256> memory;
  cg::thread_block block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<Size>(block);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = cg::reduce(tile, in[i], cg::plus<int>());
  tile.sync();
  int shared = tile.shfl(in[i], Size - 1);
  bool any = tile.any(in[i] == 5), all = tile.all(in[i] >= 0);
  out[i] = total + shared * 100000;
  ranks[i] = tile.thread_rank() * 1000 + tile.meta_group_rank() * 100 +
             tile.meta_group_size() * 10 + any * 2 + all;
}

template <int Size> bool check(int* in, int* out, int* ranks, int n) {
  sums<Size><<<n / 256, 256>>>(in, out, ranks);
  if (cudaError_t e = cudaDeviceSynchronize()) {
    printf("tiles of %d: %s\n", Size, cudaGetErrorString(e));
    return false;
  }
  int bad = 0;
  for (int t = 0; t < n; t += Size) {
    int total = 0, any = 0, all = 1;
    for (int k = 0; k < Size; ++k) {
      total += in[t + k];
      any |= in[t + k] == 5;
      all &= in[t + k] >= 0;
    }
    for (int k = 0; k < Size; ++k) {
      int rank = k * 1000 + t % 256 / Size * 100 + 256 / Size * 10 + any * 2 + all;
      bad += out[t + k] != total + in[t + Size - 1] * 100000 || ranks[t + k] != rank;
    }
  }
  printf("tiles of %d: %d wrong\n", Size, bad);
  return bad == 0;
}

int main() {
  const int n = 512;
  int *in, *out, *ranks;
  if (cudaMallocManaged(&in, n * 4) || cudaMallocManaged(&out, n * 4) ||
      cudaMallocManaged(&ranks, n * 4))
    return puts("FAIL"), 1;
  for (int i = 0; i < n; ++i)
    in[i] = i < 128 ? i % 4 : i % 9 - (i == 300);
  bool ok = check<64>(in, out, ranks, n);
  ok = check<128>(in, out, ranks, n) && ok;
  ok = check<32>(in, out, ranks, n) && ok;
  cudaFree(in);
  cudaFree(out);
  cudaFree(ranks);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
