// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of halves: products and sums, each rounded.
#include "kernel.h"

#ifdef HEDDLE_REFERENCE
typedef _Float16 __half;
static inline __half __hmul(__half a, __half b) { return a * b; }
static inline __half __hadd(__half a, __half b) { return a + b; }
#else
#include <cuda_fp16.h>
#endif

KERNEL(half, __half* out, const __half* in, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half scale = in[0], shift = in[1];
  __half x = in[i];
#pragma unroll 1
  for (int j = 0; j < steps; ++j)
    x = __hadd(__hmul(x, scale), shift);
  out[i] = x;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block,
                  half(t, b, block, grid, *(__half**)a[0], *(__half**)a[1], *(int*)a[2]))
}
#endif
