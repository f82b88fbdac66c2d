// SPDX-License-Identifier: Apache-2.0
// Edges of an image: Sobel's gradient, thinned to maxima along its direction, and two thresholds.
#include "common.h"

__global__ void gradient(const unsigned char* image, short2* slope, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  short2 g = make_short2(0, 0);
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    const unsigned char* p = image + y * w + x;
    g.x = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[-1 + w];
    g.y = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
  }
  slope[y * w + x] = g;
}

__host__ __device__ int strength(short2 g) {
  return abs(g.x) + abs(g.y);
}

__host__ __device__ unsigned char edgeAt(const short2* slope, int x, int y, int w, int h) {
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1)
    return 0;
  short2 g = slope[y * w + x];
  int mine = strength(g), step;
  if (abs(g.x) > 2 * abs(g.y))
    step = 1;
  else if (abs(g.y) > 2 * abs(g.x))
    step = w;
  else
    step = (g.x > 0) == (g.y > 0) ? w + 1 : w - 1;
  if (strength(slope[y * w + x + step]) > mine || strength(slope[y * w + x - step]) > mine)
    return 0;
  return mine > 400 ? 255 : mine > 200 ? 128 : 0;
}

__global__ void thinEdges(const short2* slope, unsigned char* edges, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    edges[y * w + x] = edgeAt(slope, x, y, w, h);
}

int main(int argc, char** argv) {
  int w = argument(argc, argv, 128), h = w;
  std::vector<unsigned char> image(w * h);
  for (int i = 0; i < w * h; ++i)
    image[i] = (unsigned char)(((i % w / 13 + i / w / 11) % 2) * 180 + i * 7 % 31);
  unsigned char *in = upload(image), *edges = allocate<unsigned char>(w * h);
  short2* slope = allocate<short2>(w * h);
  dim3 block(32, 4), grid((w + 31) / 32, (h + 3) / 4);
  gradient<<<grid, block>>>(in, slope, w, h);
  thinEdges<<<grid, block>>>(slope, edges, w, h);
  std::vector<unsigned char> got = download(edges, w * h);
  std::vector<short2> slopes = download(slope, w * h);
  bool passed = true;
  for (int y = 1; y < h - 1; ++y)
    for (int x = 1; x < w - 1; ++x) {
      const unsigned char* p = &image[y * w + x];
      passed &=
          slopes[y * w + x].x == p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[-1 + w];
      passed &= got[y * w + x] == edgeAt(slopes.data(), x, y, w, h);
    }
  return verdict(passed);
}
