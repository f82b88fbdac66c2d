// SPDX-License-Identifier: Apache-2.0
// Orientation bin of the pixels whose gradient is strong; weak pixels get bin 0.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BINS 18

__global__ void orient(const unsigned char* img, unsigned char* bins, int w, int h,
                       float threshold) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int idx = y * w + x;
  float gx = float(img[idx + 1]) - float(img[idx - 1]);
  float gy = float(img[idx + w]) - float(img[idx - w]);
  if (gx * gx + gy * gy > threshold * threshold) {
    float angle = atan2f(gy, gx) + 3.14159265f;
    int b = static_cast<int>(angle * (BINS / 6.2831854f));
    bins[idx] = static_cast<unsigned char>(1 + (b < BINS ? b : BINS - 1));
  } else {
    bins[idx] = 0;
  }
}

int main(int argc, char** argv) {
  int total = argc > 1 ? std::atoi(argv[1]) : 4000000;
  int w = 2000;
  int h = total / w < 3 ? 3 : total / w;
  size_t n = size_t(w) * h;
  std::vector<unsigned char> img(n), bins(n);
  unsigned s = 77;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      s = s * 1664525u + 1013904223u;
      int base = ((x / 40 + y / 56) % 3) * 70;
      img[size_t(y) * w + x] = static_cast<unsigned char>(base + (s >> 24) % 12);
    }
  }
  unsigned char *dImg, *dBins;
  cudaMalloc(&dImg, n);
  cudaMalloc(&dBins, n);
  cudaMemcpy(dImg, img.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(dBins, 0, n);
  dim3 block(32, 4);
  dim3 grid((w + 31) / 32, (h + 3) / 4);
  orient<<<grid, block>>>(dImg, dBins, w, h, 40.0f);
  cudaMemcpy(bins.data(), dBins, n, cudaMemcpyDeviceToHost);
  long count[BINS + 1] = {};
  for (unsigned char b : bins) ++count[b];
  for (int b = 0; b <= BINS; ++b) std::printf("%ld ", count[b]);
  std::printf("\n");
  cudaFree(dImg);
  cudaFree(dBins);
  return 0;
}
