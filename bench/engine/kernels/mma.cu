// SPDX-License-Identifier: Apache-2.0
//
// A product of matrices of halves by tensor cores: a warp makes a tile of 16 x 16. The scalar loop
// makes the same tile in the first thread of each warp.
#include "kernel.h"

#ifdef HEDDLE_REFERENCE
typedef _Float16 __half;
static inline void tileOf(float* out, const __half* a, const __half* b, int size, int row,
                          int column) {
  for (int i = row; i < row + 16; ++i)
    for (int j = column; j < column + 16; ++j) {
      float sum = 0;
      for (int k = 0; k < size; ++k)
        sum += (float)a[i * size + k] * (float)b[j * size + k]; // the second one by columns
      out[i * size + j] = sum;
    }
}
#else
#include <mma.h>
__device__ inline void tileOf(float* out, const __half* a, const __half* b, int size, int row,
                              int column) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __half, row_major> left;
  fragment<matrix_b, 16, 16, 16, __half, col_major> right;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  for (int k = 0; k < size; k += 16) {
    load_matrix_sync(left, a + row * size + k, size);
    load_matrix_sync(right, b + column * size + k, size);
    mma_sync(sum, left, right, sum);
  }
  store_matrix_sync(out + row * size + column, sum, size, mem_row_major);
}
#endif

KERNEL(mma, float* out, const __half* a, const __half* b, int size) {
#ifdef HEDDLE_REFERENCE
  if (threadIdx.x % 32 != 0)
    return;
#endif
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, tiles = size / 16;
  tileOf(out, a, b, size, warp / tiles * 16, warp % tiles * 16);
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block, mma(t, b, block, grid, *(float**)a[0], *(__half**)a[1],
                                   *(__half**)a[2], *(int*)a[3]))
}
#endif
