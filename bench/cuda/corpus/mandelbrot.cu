// SPDX-License-Identifier: Apache-2.0
// The Mandelbrot set in double precision, with a test for the two large bulbs.
#include "common.h"

__host__ __device__ int escapeTime(double cx, double cy, int most) {
  double q = (cx - 0.25) * (cx - 0.25) + cy * cy;
  if (q * (q + cx - 0.25) < 0.25 * cy * cy || (cx + 1) * (cx + 1) + cy * cy < 0.0625)
    return most;
  double x = 0, y = 0;
  for (int i = 0; i < most; ++i) {
    double xx = x * x, yy = y * y;
    if (xx + yy > 4)
      return i;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
  }
  return most;
}

__global__ void mandelbrotSet(unsigned short* out, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = (unsigned short)escapeTime(-2.2 + 3.0 * x / w, -1.2 + 2.4 * y / h, most);
}

int main(int argc, char** argv) {
  int w = argument(argc, argv, 96), h = w * 3 / 4, most = 200;
  unsigned short* out = allocate<unsigned short>(w * h);
  mandelbrotSet<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(out, w, h, most);
  std::vector<unsigned short> got = download(out, w * h);
  int differing = 0;
  for (int i = 0; i < w * h; ++i)
    differing += got[i] != escapeTime(-2.2 + 3.0 * (i % w) / w, -1.2 + 2.4 * (i / w) / h, most);
  return verdict(differing <= w * h / 200); // orbits near the edge are chaotic
}
