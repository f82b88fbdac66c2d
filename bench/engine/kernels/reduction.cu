// SPDX-License-Identifier: Apache-2.0
//
// Sums of blocks by a tree in shared memory.
#include "kernel.h"

#ifndef HEDDLE_REFERENCE
KERNEL(reduction, int* out, const int* in) {
  __shared__ int sums[256];
  const int t = threadIdx.x;
  sums[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride)
      sums[t] += sums[t + stride];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}
#else
extern "C" void reference(void** a, Extent grid, Extent block) {
  int* out = *(int**)a[0];
  const int* in = *(int**)a[1];
  for (int b = 0; b < grid.x; ++b) {
    int sums[256];
    for (int t = 0; t < block.x; ++t)
      sums[t] = in[b * block.x + t];
    for (int stride = block.x / 2; stride > 0; stride /= 2)
      for (int t = 0; t < block.x; ++t)
        if (t < stride)
          sums[t] += sums[t + stride];
    for (int t = 0; t < block.x; ++t)
      if (t == 0)
        out[b] = sums[0];
  }
}
#endif
