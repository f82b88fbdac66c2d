// SPDX-License-Identifier: Apache-2.0
//
// Nothing but memory.
#include "kernel.h"

KERNEL(saxpy, float* y, const float* x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block,
                  saxpy(t, b, block, grid, *(float**)a[0], *(float**)a[1], *(float*)a[2],
                        *(int*)a[3]))
}
#endif
