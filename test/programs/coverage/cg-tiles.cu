// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, cooperative groups: tiles
// Static tiles of 32, 16, 8, 4, 2 and 1 threads and the dynamic form: sums, ranks, meta ranks.
#include <cstdio>
#include <cstdlib>

#include <cooperative_groups.h>

using namespace cooperative_groups;

static int failed = 0;
#define ENSURE(c)                                                                                  \
  if (!(c)) {                                                                                      \
    printf("line %d: %s\n", __LINE__, #c);                                                         \
    failed = 1;                                                                                    \
  }

template <int Size> __global__ void tileSums(const int* in, int* sums, int* ranks) {
  thread_block block = this_thread_block();
  thread_block_tile<Size> tile = tiled_partition<Size>(block);
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
  for (int offset = tile.size() / 2; offset > 0; offset /= 2)
    v += tile.shfl_down(v, offset);
  v = tile.shfl(v, 0);
  sums[i] = v;
  ranks[i] = tile.thread_rank() * 10000 + tile.meta_group_rank() * 100 + tile.meta_group_size();
}

__global__ void dynamicSums(const int* in, int* sums, int* ranks, int size) {
  __shared__ int values[256];
  thread_block block = this_thread_block();
  thread_group group = tiled_partition(block, size);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = in[i];
  group.sync();
  int first = threadIdx.x - group.thread_rank(), v = 0;
  for (unsigned k = 0; k < group.size(); ++k)
    v += values[first + k];
  sums[i] = v;
  ranks[i] = group.thread_rank() * 10000 + group.size();
}

// A tile of a tile: the usual way from a block to a quarter of a warp.
__global__ void nested(int* out) {
  auto warp = tiled_partition<32>(this_thread_block());
  auto quarter = tiled_partition<8>(warp);
  int v = quarter.shfl_xor(threadIdx.x, 1);
  out[threadIdx.x] = v * 100 + quarter.meta_group_rank() * 10 + quarter.meta_group_size();
}

int main(int argc, char** argv) {
  const int n = 512, threads = 256;
  int *in, *sums, *ranks;
  ENSURE(cudaMallocManaged(&in, n * sizeof(int)) == cudaSuccess);
  ENSURE(cudaMallocManaged(&sums, n * sizeof(int)) == cudaSuccess);
  ENSURE(cudaMallocManaged(&ranks, n * sizeof(int)) == cudaSuccess);
  for (int i = 0; i < n; ++i)
    in[i] = i * i % 97;
  for (int size : {32, 16, 8, 4, 2, 1}) {
    for (bool dynamic : {false, true}) {
      if (dynamic)
        dynamicSums<<<n / threads, threads>>>(in, sums, ranks, size);
      else
        switch (size) {
        case 32:
          tileSums<32><<<n / threads, threads>>>(in, sums, ranks);
          break;
        case 16:
          tileSums<16><<<n / threads, threads>>>(in, sums, ranks);
          break;
        case 8:
          tileSums<8><<<n / threads, threads>>>(in, sums, ranks);
          break;
        case 4:
          tileSums<4><<<n / threads, threads>>>(in, sums, ranks);
          break;
        case 2:
          tileSums<2><<<n / threads, threads>>>(in, sums, ranks);
          break;
        default:
          tileSums<1><<<n / threads, threads>>>(in, sums, ranks);
        }
      ENSURE(cudaGetLastError() == cudaSuccess);
      ENSURE(cudaDeviceSynchronize() == cudaSuccess);
      int bad = 0;
      for (int i = 0; i < n; ++i) {
        int sum = 0, t = i % threads;
        for (int k = 0; k < size; ++k)
          sum += in[i / size * size + k];
        int rank =
            dynamic ? t % size * 10000 + size : t % size * 10000 + t / size * 100 + threads / size;
        bad += sums[i] != sum || ranks[i] != rank;
      }
      if (bad)
        printf("size %d%s: %d wrong\n", size, dynamic ? " dynamic" : "", bad);
      ENSURE(bad == 0);
    }
  }
  nested<<<1, 64>>>(sums);
  ENSURE(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < 64; ++t)
    ENSURE(sums[t] == (t ^ 1) * 100 + t % 32 / 8 * 10 + 4);
  cudaFree(in), cudaFree(sums), cudaFree(ranks);
  puts(failed ? "FAIL" : "PASS");
  return failed;
}
