// SPDX-License-Identifier: Apache-2.0
//
// Tiles of 32 x 32 through padded shared memory, four rows a thread.
#include "kernel.h"

#ifndef HEDDLE_REFERENCE
KERNEL(transpose, float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
#else
extern "C" void reference(void** a, Extent grid, Extent block) {
  float* out = *(float**)a[0];
  const float* in = *(float**)a[1];
  const int n = *(int*)a[2];
  for (int by = 0; by < grid.y; ++by)
    for (int bx = 0; bx < grid.x; ++bx) {
      float tile[32][33];
      for (int ty = 0; ty < block.y; ++ty)
        for (int tx = 0; tx < block.x; ++tx)
          for (int j = 0; j < 32; j += 8)
            tile[ty + j][tx] = in[(by * 32 + ty + j) * n + bx * 32 + tx];
      for (int ty = 0; ty < block.y; ++ty)
        for (int tx = 0; tx < block.x; ++tx)
          for (int j = 0; j < 32; j += 8)
            out[(bx * 32 + ty + j) * n + by * 32 + tx] = tile[tx][ty + j];
    }
}
#endif
