// SPDX-License-Identifier: Apache-2.0
// Clouds: five octaves of Perlin's gradient noise.
#include "common.h"

__host__ __device__ float slope(int x, int y, float dx, float dy) {
  unsigned h = x * 374761393u + y * 668265263u;
  h = (h ^ h >> 13) * 1274126177u;
  switch (h >> 29) {
  case 0:
    return dx + dy;
  case 1:
    return dx - dy;
  case 2:
    return -dx + dy;
  case 3:
    return -dx - dy;
  case 4:
    return 1.4f * dx;
  case 5:
    return -1.4f * dx;
  case 6:
    return 1.4f * dy;
  default:
    return -1.4f * dy;
  }
}

__host__ __device__ float noise(float x, float y) {
  int ix = (int)floorf(x), iy = (int)floorf(y);
  float dx = x - ix, dy = y - iy;
  float u = dx * dx * dx * (dx * (dx * 6 - 15) + 10), v = dy * dy * dy * (dy * (dy * 6 - 15) + 10);
  float a = slope(ix, iy, dx, dy), b = slope(ix + 1, iy, dx - 1, dy);
  float c = slope(ix, iy + 1, dx, dy - 1), d = slope(ix + 1, iy + 1, dx - 1, dy - 1);
  return a + u * (b - a) + v * (c - a + u * (a - b - c + d));
}

__host__ __device__ float cloud(float x, float y) {
  float sum = 0, size = 1;
  for (int octave = 0; octave < 5; ++octave) {
    sum += size * noise(x, y);
    x = 2 * x + 3.7f;
    y = 2 * y + 1.3f;
    size *= 0.5f;
  }
  return sum;
}

__global__ void clouds(float* image, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    image[y * n + x] = cloud(x * 0.05f, y * 0.05f);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 64);
  float* image = allocate<float>(n * n);
  clouds<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(image, n);
  std::vector<float> got = download(image, n * n);
  int differing = 0;
  for (int i = 0; i < n * n; ++i)
    differing += !near(got[i], cloud(i % n * 0.05f, i / n * 0.05f), 1e-3);
  return verdict(differing <= n * n / 500); // on the lines of the lattice
}
