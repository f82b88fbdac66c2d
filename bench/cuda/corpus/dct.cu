// SPDX-License-Identifier: Apache-2.0
// The transform of JPEG: DCT of 8 x 8 tiles, coarser values, and the zigzag order.
#include "common.h"

__constant__ float basis[64];
__constant__ unsigned char zigzag[64];

__global__ void transformTiles(const unsigned char* image, short* out, int w) {
  __shared__ float tile[8][8], half[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = image[(blockIdx.y * 8 + y) * w + blockIdx.x * 8 + x] - 128.0f;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += basis[x * 8 + k] * tile[y][k];
  half[y][x] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += basis[y * 8 + k] * half[k][x];
  int number = blockIdx.y * gridDim.x + blockIdx.x;
  out[number * 64 + zigzag[y * 8 + x]] = (short)rintf(sum / (8 + 4 * (x + y)));
}

int main(int argc, char** argv) {
  int w = argument(argc, argv, 64), h = w / 2, tiles = w / 8 * (h / 8), differing = 0;
  float host[64];
  unsigned char order[64];
  for (int k = 0; k < 64; ++k)
    host[k] = (float)((k < 8 ? sqrt(0.125) : 0.5) *
                      cos((2 * (k % 8) + 1) * (k / 8) * 3.14159265358979 / 16));
  for (int sum = 0, at = 0; sum < 15; ++sum)
    for (int k = 0; k <= sum; ++k) {
      int y = sum % 2 ? k : sum - k, x = sum - y;
      if (x < 8 && y < 8)
        order[y * 8 + x] = (unsigned char)at++;
    }
  CHECK(cudaMemcpyToSymbol(basis, host, sizeof(host)));
  CHECK(cudaMemcpyToSymbol(zigzag, order, sizeof(order)));
  std::vector<unsigned char> image(w * h);
  for (int i = 0; i < w * h; ++i)
    image[i] = (unsigned char)(128 + 100 * sin(i % w * 0.1) * cos(i / w * 0.07) + i * 31 % 17);
  short* out = allocate<short>(w * h);
  transformTiles<<<dim3(w / 8, h / 8), dim3(8, 8)>>>(upload(image), out, w);
  std::vector<short> got = download(out, w * h);
  for (int t = 0; t < tiles; ++t)
    for (int v = 0; v < 8; ++v)
      for (int u = 0; u < 8; ++u) {
        double sum = 0;
        for (int y = 0; y < 8; ++y)
          for (int x = 0; x < 8; ++x)
            sum += host[v * 8 + y] * host[u * 8 + x] *
                   (image[(t / (w / 8) * 8 + y) * w + t % (w / 8) * 8 + x] - 128.0);
        differing += abs(got[t * 64 + order[v * 8 + u]] - (int)rint(sum / (8 + 4 * (u + v))));
      }
  return verdict(differing <= w * h / 200); // at halves
}
