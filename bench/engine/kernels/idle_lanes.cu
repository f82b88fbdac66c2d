// SPDX-License-Identifier: Apache-2.0
//
// Long loops that one thread in sixteen runs, while the others wait.
#include "kernel.h"

KERNEL(idle_lanes, unsigned* out, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = i * 2654435761u + 1;
  const int turns = i % 16 == 3 ? steps + (i >> 4 & 63) : 2;
#pragma unroll 1
  for (int j = 0; j < turns; ++j)
    x = (x ^ x >> 15) * 2246822519u + j;
  out[i] = x;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block, idle_lanes(t, b, block, grid, *(unsigned**)a[0], *(int*)a[1]))
}
#endif
