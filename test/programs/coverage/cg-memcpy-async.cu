// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, cooperative groups: memcpy_async, dynamic shared
// Tiles of data copied to shared memory by cg::memcpy_async, one and two stages deep. Arguments: n.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

#define CHECK(x)                                                                                   \
  do {                                                                                             \
    cudaError_t e = (x);                                                                           \
    if (e != cudaSuccess) {                                                                        \
      printf("%s:%d %s\nFAIL\n", __FILE__, __LINE__, cudaGetErrorString(e));                       \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

constexpr int TILE = 128;

__global__ void reverseTiles(const int* in, int* out, int tiles) {
  __shared__ int buffer[TILE];
  auto block = cg::this_thread_block();
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    cg::memcpy_async(block, buffer, in + t * TILE, sizeof(int) * TILE);
    cg::wait(block);
    out[t * TILE + threadIdx.x] = buffer[TILE - 1 - threadIdx.x];
    block.sync();
  }
}

// The next tile is under way while the present one is used.
__global__ void sumTiles(const int* in, int* sums, int tiles) {
  extern __shared__ int stages[];
  auto block = cg::this_thread_block();
  int sum = 0;
  cg::memcpy_async(block, stages, in, sizeof(int) * TILE);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      cg::memcpy_async(block, stages + (t + 1) % 2 * TILE, in + (t + 1) * TILE, sizeof(int) * TILE);
      cg::wait_prior<1>(block);
    } else {
      cg::wait_prior<0>(block);
    }
    sum += stages[t % 2 * TILE + (threadIdx.x + t) % TILE];
    block.sync();
  }
  sums[threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  int tiles = (argc > 1 ? atoi(argv[1]) : 2560) / TILE, n = tiles * TILE;
  std::vector<int> in(n), out(n), sums(TILE);
  for (int i = 0; i < n; ++i)
    in[i] = i * 7 - 100;
  int *din, *dout, *dsums;
  CHECK(cudaMalloc(&din, n * sizeof(int)));
  CHECK(cudaMalloc(&dout, n * sizeof(int)));
  CHECK(cudaMalloc(&dsums, TILE * sizeof(int)));
  CHECK(cudaMemcpy(din, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  reverseTiles<<<4, TILE>>>(din, dout, tiles);
  CHECK(cudaGetLastError());
  sumTiles<<<1, TILE, 2 * TILE * sizeof(int)>>>(din, dsums, tiles);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), dout, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(sums.data(), dsums, TILE * sizeof(int), cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < n; ++i)
    bad += out[i] != in[i / TILE * TILE + TILE - 1 - i % TILE];
  for (int k = 0; k < TILE; ++k) {
    int want = 0;
    for (int t = 0; t < tiles; ++t)
      want += in[t * TILE + (k + t) % TILE];
    bad += sums[k] != want;
  }
  cudaFree(din), cudaFree(dout), cudaFree(dsums);
  printf("%d wrong\n", bad);
  puts(bad ? "FAIL" : "PASS");
  return bad != 0;
}
