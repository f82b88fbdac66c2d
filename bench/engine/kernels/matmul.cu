// SPDX-License-Identifier: Apache-2.0
//
// Matrix product by tiles of 16 x 16 in shared memory.
#include "kernel.h"

#ifndef HEDDLE_REFERENCE
KERNEL(matmul, float* c, const float* a, const float* b, int n) {
  __shared__ float as[16][16], bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    as[ty][tx] = a[row * n + tile + tx];
    bs[ty][tx] = b[(tile + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
#else
extern "C" void reference(void** arguments, Extent grid, Extent block) {
  float* c = *(float**)arguments[0];
  const float* a = *(float**)arguments[1];
  const float* b = *(float**)arguments[2];
  const int n = *(int*)arguments[3];
  for (int by = 0; by < grid.y; ++by)
    for (int bx = 0; bx < grid.x; ++bx) {
      float as[16][16], bs[16][16], sum[16][16] = {};
      for (int tile = 0; tile < n; tile += 16) {
        for (int ty = 0; ty < block.y; ++ty)
          for (int tx = 0; tx < block.x; ++tx) {
            as[ty][tx] = a[(by * 16 + ty) * n + tile + tx];
            bs[ty][tx] = b[(tile + ty) * n + bx * 16 + tx];
          }
        for (int ty = 0; ty < block.y; ++ty)
          for (int tx = 0; tx < block.x; ++tx)
            for (int k = 0; k < 16; ++k)
              sum[ty][tx] += as[ty][k] * bs[k][tx];
      }
      for (int ty = 0; ty < block.y; ++ty)
        for (int tx = 0; tx < block.x; ++tx)
          c[(by * 16 + ty) * n + bx * 16 + tx] = sum[ty][tx];
    }
}
#endif
