// SPDX-License-Identifier: Apache-2.0
//
// Blocks of four threads: a warp has four lanes, and there are many blocks to start.
#include "kernel.h"

KERNEL(small_blocks, unsigned* out, const unsigned* in, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[i];
#pragma unroll 1
  for (int j = 0; j < steps; ++j)
    x = (x ^ x >> 13) * 1103515245u + (threadIdx.x & 1 ? j : x >> 3);
  out[i] = x;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(
      grid, block,
      small_blocks(t, b, block, grid, *(unsigned**)a[0], *(unsigned**)a[1], *(int*)a[2]))
}
#endif
