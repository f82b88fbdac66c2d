// SPDX-License-Identifier: Apache-2.0
//
// Forces of all bodies on each one, straight from global memory.
#include "kernel.h"

KERNEL(nbody, float* out, const float* x, const float* y, const float* z, const float* mass,
       int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float px = x[i], py = y[i], pz = z[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) {
    const float dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz;
    const float d = dx * dx + dy * dy + dz * dz + 0.01f;
    const float r = 1 / sqrtf(d);
    const float f = mass[j] * r * r * r;
    ax += f * dx;
    ay += f * dy;
    az += f * dz;
  }
  out[3 * i] = ax;
  out[3 * i + 1] = ay;
  out[3 * i + 2] = az;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block,
                  nbody(t, b, block, grid, *(float**)a[0], *(float**)a[1], *(float**)a[2],
                        *(float**)a[3], *(float**)a[4], *(int*)a[5]))
}
#endif
