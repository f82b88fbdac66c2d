// SPDX-License-Identifier: Apache-2.0
// The Mandelbrot set in single precision: neighbours leave the loop at different times.
#include "../corpus/common.h"

__host__ __device__ int escapeTime(float cx, float cy, int most) {
  float x = 0, y = 0;
  int i = 0;
  while (i < most && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    ++i;
  }
  return i;
}

__global__ void drawFractal(unsigned short* out, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = (unsigned short)escapeTime(-2.2f + 3.0f * x / w, -1.2f + 2.4f * y / h, most);
}

int main(int argc, char** argv) {
  int w = argument(argc, argv, 1000), h = w * 3 / 4, most = 256;
  unsigned short* out = allocate<unsigned short>(w * h);
  drawFractal<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(out, w, h, most);
  std::vector<unsigned short> got = download(out, w * h);
  int differing = 0;
  for (int i = 0; i < w * h; i += 101)
    differing += got[i] != escapeTime(-2.2f + 3.0f * (i % w) / w, -1.2f + 2.4f * (i / w) / h, most);
  return verdict(differing <= w * h / 101 / 50); // orbits near the edge are chaotic
}
