// SPDX-License-Identifier: Apache-2.0
//
// Iterations until a point leaves the circle; neighbours differ.
#include "kernel.h"

KERNEL(mandelbrot, int* out, int width, int height, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const float cr = -2.2f + 3.2f * x / width, ci = -1.2f + 2.4f * y / height;
  float zr = 0, zi = 0;
  int n = 0;
  while (n < most && zr * zr + zi * zi < 4) {
    const float next = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = next;
    ++n;
  }
  out[y * width + x] = n;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block,
                  mandelbrot(t, b, block, grid, *(int**)a[0], *(int*)a[1], *(int*)a[2],
                             *(int*)a[3]))
}
#endif
