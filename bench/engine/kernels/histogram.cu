// SPDX-License-Identifier: Apache-2.0
//
// 256 bins in global memory, counted with atomics.
#include "kernel.h"

KERNEL(histogram, int* bins, const unsigned* in, int perThread) {
  const int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < perThread; ++k, i += threads)
    atomicAdd(&bins[in[i] >> 24], 1);
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block,
                  histogram(t, b, block, grid, *(int**)a[0], *(unsigned**)a[1], *(int*)a[2]))
}
#endif
