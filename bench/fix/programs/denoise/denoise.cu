// SPDX-License-Identifier: Apache-2.0
// Salt and pepper out with a median, the rest with a bilateral filter. Image is synthetic.
#include <cuda_runtime.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>
#include "filters.cuh"

static int failures = 0;
static void must(cudaError_t e, const char* file, int line)
{
  if (e != cudaSuccess) {
    fprintf(stderr, "%s(%d): %s\n", file, line, cudaGetErrorString(e));
    failures++;
  }
}
#define MUST(x) must(x, __FILE__, __LINE__)

int main()
{
  const int w = 150, h = 110;
  std::vector<pixel> img(w * h), noisy(w * h), roi(w * h), med(w * h);
  unsigned s = 2463534242u;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      s ^= s << 13; s ^= s >> 17; s ^= s << 5;
      int v = 60 + x / 2 + ((x / 25 + y / 25) % 2 ? 70 : 0) + (int)(s % 11) - 5;
      if (s % 29 == 0) v = 255;
      if (s % 31 == 0) v = 0;
      img[y * w + x] = (pixel)clampi(v, 0, 255);
      int dx = x - w / 2, dy = y - h / 2;
      roi[y * w + x] = dx * dx + 2 * dy * dy < 70 * 70;
    }

  pixel *d_in, *d_noisy, *d_med, *d_roi;
  float* d_out;
  MUST(cudaMalloc(&d_in, w * h));
  MUST(cudaMalloc(&d_noisy, w * h));
  MUST(cudaMalloc(&d_med, w * h));
  MUST(cudaMalloc(&d_roi, w * h));
  MUST(cudaMalloc(&d_out, w * h * sizeof(float)));
  MUST(cudaMemcpy(d_in, img.data(), w * h, cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(d_roi, roi.data(), w * h, cudaMemcpyHostToDevice));

  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  auto start = std::chrono::system_clock::now();
  markNoise<<<grid, block>>>(d_in, d_noisy, w, h, 30);
  medianKernel<2><<<grid, block>>>(d_in, d_noisy, d_med, w, h);
  bilateralKernel<<<grid, block>>>(d_med, d_roi, d_out, w, h, 3, 2.0f, 20.0f);
  MUST(cudaDeviceSynchronize());
  auto stop = std::chrono::system_clock::now();

  std::vector<float> out(w * h);
  MUST(cudaMemcpy(noisy.data(), d_noisy, w * h, cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(med.data(), d_med, w * h, cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(out.data(), d_out, w * h * sizeof(float), cudaMemcpyDeviceToHost));

  int bad = 0, marked = 0;
  double mean = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int i = y * w + x;
      marked += noisy[i];
      pixel want = noisy[i] ? medianAt<2>(img.data(), w, h, x, y) : img[i];
      bad += want != med[i];
      double sum = 0, weight = 0;
      for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++) {
          int xx = x + dx, yy = y + dy;
          if (xx < 0 || yy < 0 || xx >= w || yy >= h || dx * dx + dy * dy > 9) continue;
          double d = (double)med[yy * w + xx] - med[i];
          double k = exp(-(dx * dx + dy * dy) / 8.0 - d * d / 800.0);
          sum += k * med[yy * w + xx];
          weight += k;
        }
      double expected = roi[i] ? sum / weight : med[i];
      bad += fabs(expected - out[i]) > 0.01;
      mean += out[i];
    }
  printf("noisy pixels %d, mean after %.2f\n", marked, mean / (w * h));
  printf("filters took %lld us\n", (long long)std::chrono::duration_cast<std::chrono::microseconds>(stop - start).count());
  printf("%s\n", bad == 0 && failures == 0 ? "OK" : "ERROR");
  cudaFree(d_in); cudaFree(d_noisy); cudaFree(d_med); cudaFree(d_roi); cudaFree(d_out);
  return bad != 0 || failures != 0;
}
