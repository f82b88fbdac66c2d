// SPDX-License-Identifier: Apache-2.0
//
// An integer generator that takes one of two ways at each step.
#include "kernel.h"

KERNEL(lcg, unsigned* out, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = i * 2654435761u + 1;
  for (int t = 0; t < steps; ++t) {
    x = x * 1664525u + 1013904223u;
    if (x & 0x10000) {
#pragma unroll 1
      for (int j = 0; j < 10; ++j)
        x = x * 22695477u + j;
    } else {
#pragma unroll 1
      for (int j = 0; j < 10; ++j)
        x = (x ^ (x >> 7)) * 1103515245u + j;
    }
  }
  out[i] = x;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block, lcg(t, b, block, grid, *(unsigned**)a[0], *(int*)a[1]))
}
#endif
