// SPDX-License-Identifier: Apache-2.0
//
// One body, two programs. For the engine KERNEL(name, parameters) is a __global__ function; with
// HEDDLE_REFERENCE it is a plain function of one thread, and FOR_EACH_THREAD calls it in a loop.
#pragma once

#ifdef HEDDLE_REFERENCE

#include <math.h>

struct Extent {
  int x, y;
};
#define __device__
#define __host__
#define __restrict__ __restrict
#define KERNEL(name, ...)                                                                          \
  static inline void name(Extent threadIdx, Extent blockIdx, Extent blockDim, Extent gridDim,      \
                          __VA_ARGS__)
#define FOR_EACH_THREAD(grid, block, call)                                                         \
  for (int by = 0; by < grid.y; ++by)                                                              \
    for (int bx = 0; bx < grid.x; ++bx)                                                            \
      for (int ty = 0; ty < block.y; ++ty)                                                         \
        for (int tx = 0; tx < block.x; ++tx) {                                                     \
          const Extent t{tx, ty}, b{bx, by};                                                       \
          call;                                                                                    \
        }
template <class Number> static inline Number atomicAdd(Number* place, Number value) {
  const Number old = *place;
  *place += value;
  return old;
}
static inline int atomicMin(int* place, int value) {
  const int old = *place;
  *place = value < old ? value : old;
  return old;
}
#else
#define KERNEL(name, ...) extern "C" __global__ void kernel(__VA_ARGS__)
#endif
