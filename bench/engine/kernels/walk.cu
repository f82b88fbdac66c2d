// SPDX-License-Identifier: Apache-2.0
//
// A random walk with three ends: it leaves to the left, to the right, or is absorbed on its way.
#include "kernel.h"

KERNEL(walk, int* out, int width) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned random = thread * 2654435761u + 17;
  int place = width / 2, steps = 0, end = 0;
  for (;;) {
    random = random * 1664525u + 1013904223u;
    const unsigned draw = random >> 16;
    if (draw % 509 == 0) {
      end = 3;
      break;
    }
    if (draw & 1) {
      if (++place >= width) {
        end = 2;
        break;
      }
    } else if (--place < 0) {
      end = 1;
      break;
    }
    ++steps;
  }
  out[thread] = steps * 4 + end;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block, walk(t, b, block, grid, *(int**)a[0], *(int*)a[1]))
}
#endif
