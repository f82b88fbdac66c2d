// SPDX-License-Identifier: Apache-2.0
//
// The kernel of document 002: n iterations, each by chance on one of two paths of dependent steps.
#include "kernel.h"

KERNEL(verification, float* out, int n, int delay, unsigned threshold) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned random = i * 747796405u + 2891336453u;
  float a = 1, b = 2;
  for (int t = 0; t < n; ++t) {
    random = random * 1664525u + 1013904223u;
    if ((random >> 8) < threshold) {
#pragma unroll 1
      for (int d = 0; d < delay; ++d)
        a = a * 0.999f + 0.5f;
    } else {
#pragma unroll 1
      for (int d = 0; d < delay; ++d)
        b = b * 0.998f + 0.25f;
    }
  }
  out[i] = a + b;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block,
                  verification(t, b, block, grid, *(float**)a[0], *(int*)a[1], *(int*)a[2],
                               *(unsigned*)a[3]))
}
#endif
