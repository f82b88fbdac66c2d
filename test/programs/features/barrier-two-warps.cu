// SPDX-License-Identifier: Apache-2.0
// A warp fills two buffers in turn, another one empties them; they wait for each other at barriers
// of libcu++, which look at a clock and sleep while they wait.
#include "../check.h"

#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void pass(int* out, int tiles) {
  __shared__ int buffer[2][32];
#ifdef __CUDACC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif
  __shared__ Barrier full[2], empty[2];
  if (threadIdx.x < 2) {
    init(&full[threadIdx.x], blockDim.x);
    init(&empty[threadIdx.x], blockDim.x);
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  for (int tile = 0; tile < tiles; ++tile) {
    const int side = tile % 2;
    if (threadIdx.x < 32) {
      if (tile >= 2)
        empty[side].arrive_and_wait();
      buffer[side][lane] = tile * 100 + lane;
      (void)full[side].arrive();
    } else {
      full[side].arrive_and_wait();
      out[tile * 32 + lane] = buffer[side][lane];
      if (tile + 2 < tiles)
        (void)empty[side].arrive();
    }
  }
}

int main() {
  constexpr int tiles = 1000;
  DeviceArray<int> out(tiles * 32);
  pass<<<1, 64>>>(out, tiles);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return int(i / 32 * 100 + i % 32); });
  return finish();
}
