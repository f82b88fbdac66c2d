// SPDX-License-Identifier: Apache-2.0
// Newton's fractal: which root of z^5 = 1 each point of the plane runs to, and how fast.
#include "common.h"

__host__ __device__ int rootOf(float x, float y) {
  for (int step = 0; step < 40; ++step) {
    float x2 = x * x - y * y, y2 = 2 * x * y;
    float x4 = x2 * x2 - y2 * y2, y4 = 2 * x2 * y2;
    float fx = x * x4 - y * y4 - 1, fy = x * y4 + y * x4;
    float norm = 5 * (x4 * x4 + y4 * y4);
    if (norm < 1e-12f)
      return -1;
    float dx = (fx * x4 + fy * y4) / norm, dy = (fy * x4 - fx * y4) / norm;
    x -= dx;
    y -= dy;
    if (dx * dx + dy * dy < 1e-8f) {
      float angle = atan2f(y, x);
      return ((int)rintf(angle * 5 / 6.2831853f) + 5) % 5 * 64 + step;
    }
  }
  return -1;
}

__global__ void newtonFractal(int* image, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    image[y * n + x] = rootOf(-2.003f + 4.0f * x / n, -2.003f + 4.0f * y / n);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 64), differing = 0;
  int* image = allocate<int>(n * n);
  newtonFractal<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(image, n);
  std::vector<int> got = download(image, n * n);
  for (int i = 0; i < n * n; ++i)
    differing += got[i] != rootOf(-2.003f + 4.0f * (i % n) / n, -2.003f + 4.0f * (i / n) / n);
  return verdict(differing <= n * n / 20); // borders of basins
}
