// SPDX-License-Identifier: Apache-2.0
// COVERS: cuda::barrier, libcu++
// Producers and consumers of a block by two barriers; arrive and wait apart; memcpy_async on a
// barrier.
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <cooperative_groups.h>
#include <cuda/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cg = cooperative_groups;

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void splitPhases(const int* in, int* out, int rounds) {
  __shared__ barrier bar;
  __shared__ int buffer[128];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&bar, block.size());
  block.sync();
  int v = in[threadIdx.x];
  for (int r = 0; r < rounds; ++r) {
    buffer[threadIdx.x] = v;
    barrier::arrival_token token = bar.arrive();
    int own = v * 3 + r; // work that needs nobody else
    bar.wait(std::move(token));
    v = own - buffer[(threadIdx.x + 1) % 128];
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = v;
}

// Warp 0 produces, the others consume; two buffers, each with a barrier for full and one for empty.
__global__ void produce(int* sums, int items) {
  __shared__ barrier bar[4];
  __shared__ int buffer[2][32];
  auto block = cg::this_thread_block();
  if (block.thread_rank() < 4)
    init(bar + block.thread_rank(), block.size());
  block.sync();
  bool producer = threadIdx.x < 32;
  if (producer) {
    for (int i = 0; i < items; ++i) {
      bar[i % 2].arrive_and_wait(); // empty
      buffer[i % 2][threadIdx.x] = i * 32 + threadIdx.x;
      (void)bar[2 + i % 2].arrive(); // full
    }
  } else {
    (void)bar[0].arrive();
    (void)bar[1].arrive();
    int sum = 0;
    for (int i = 0; i < items; ++i) {
      bar[2 + i % 2].arrive_and_wait();
      sum += buffer[i % 2][threadIdx.x % 32];
      (void)bar[i % 2].arrive();
    }
    sums[threadIdx.x - 32] = sum;
  }
}

__global__ void copyAsync(const int* in, int* out) {
  __shared__ int tile[256];
  __shared__ barrier bar;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof(tile), bar);
  bar.arrive_and_wait();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    out[i] = tile[255 - i];
}

int main(int argc, char** argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 5, items = 7;
  int *in, *out;
  if (cudaMallocManaged(&in, 256 * 4) || cudaMallocManaged(&out, 512 * 4))
    return puts("FAIL"), 1;
  for (int i = 0; i < 256; ++i)
    in[i] = i * i % 50;
  splitPhases<<<1, 128>>>(in, out, rounds);
  produce<<<1, 96>>>(out + 128, items);
  copyAsync<<<1, 64>>>(in, out + 192);
  cudaError_t e = cudaDeviceSynchronize();
  int v[128], next[128], bad = e != cudaSuccess;
  for (int i = 0; i < 128; ++i)
    v[i] = in[i];
  for (int r = 0; r < rounds; ++r) {
    for (int i = 0; i < 128; ++i)
      next[i] = v[i] * 3 + r - v[(i + 1) % 128];
    for (int i = 0; i < 128; ++i)
      v[i] = next[i];
  }
  for (int i = 0; i < 128; ++i)
    bad += out[i] != v[i];
  for (int t = 0; t < 64; ++t)
    bad += out[128 + t] != 32 * (items * (items - 1) / 2) + items * (t % 32);
  for (int i = 0; i < 256; ++i)
    bad += out[192 + i] != in[255 - i];
  cudaFree(in);
  cudaFree(out);
  printf("%s, %d wrong\n%s\n", cudaGetErrorString(e), bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
