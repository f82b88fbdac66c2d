// SPDX-License-Identifier: Apache-2.0
//
// An image turned by an angle: each thread reads four texels and weighs them, as a texture does.
#include "kernel.h"

#ifdef HEDDLE_REFERENCE
static inline float texel(const float* image, int size, int x, int y) {
  x = x < 0 ? 0 : x >= size ? size - 1 : x;
  y = y < 0 ? 0 : y >= size ? size - 1 : y;
  return image[y * size + x];
}
static inline float readImage(unsigned long long, const float* image, int size, float x, float y) {
  x -= 0.5f, y -= 0.5f;
  const float x0 = floorf(x), y0 = floorf(y);
  const float u = floorf((x - x0) * 256 + 0.5f) / 256, v = floorf((y - y0) * 256 + 0.5f) / 256;
  const int i = (int)x0, j = (int)y0;
  return (1 - v) * ((1 - u) * texel(image, size, i, j) + u * texel(image, size, i + 1, j)) +
         v * ((1 - u) * texel(image, size, i, j + 1) + u * texel(image, size, i + 1, j + 1));
}
#else
__device__ inline float readImage(unsigned long long object, const float*, int, float x, float y) {
  return tex2D<float>(object, x, y);
}
#endif

KERNEL(texture, float* out, const float* image, int size, unsigned long long object) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float c = 0.8f, s = 0.6f, fromX = x - size / 2, fromY = y - size / 2;
  out[y * size + x] = readImage(object, image, size, c * fromX - s * fromY + size / 2 + 0.5f,
                                s * fromX + c * fromY + size / 2 + 0.5f);
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block,
                  texture(t, b, block, grid, *(float**)a[0], *(float**)a[1], *(int*)a[2], 0))
}
#endif
