// SPDX-License-Identifier: Apache-2.0
// Separable convolution with 17 taps in constant memory: rows, then columns, tiles with a border.
#include "common.h"

const int R = 8;
__constant__ float taps[2 * R + 1];

__global__ void convolveRows(const float* in, float* out, int w) {
  __shared__ float tile[128 + 2 * R];
  int x = blockIdx.x * 128 + threadIdx.x, row = blockIdx.y * w;
  for (int i = threadIdx.x; i < 128 + 2 * R; i += 128) {
    int at = blockIdx.x * 128 + i - R;
    tile[i] = at >= 0 && at < w ? in[row + at] : 0.0f;
  }
  __syncthreads();
  if (x >= w)
    return;
  float sum = 0;
  for (int k = 0; k <= 2 * R; ++k)
    sum += taps[k] * tile[threadIdx.x + k];
  out[row + x] = sum;
}

__global__ void convolveColumns(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float sum = 0;
  for (int k = -R; k <= R; ++k)
    if (y + k >= 0 && y + k < h)
      sum += taps[k + R] * in[(y + k) * w + x];
  out[y * w + x] = sum;
}

int main(int argc, char** argv) {
  int w = argument(argc, argv, 128), h = w / 2;
  float host[2 * R + 1], total = 0;
  for (int k = 0; k <= 2 * R; ++k)
    total += host[k] = expf(-(k - R) * (k - R) / 18.0f);
  for (float& tap : host)
    tap /= total;
  CHECK(cudaMemcpyToSymbol(taps, host, sizeof(host)));
  std::vector<float> image(w * h), rows(w * h, 0), want(w * h, 0);
  for (int i = 0; i < w * h; ++i)
    image[i] = i * 31 % 256;
  float *a = upload(image), *b = allocate<float>(w * h), *c = allocate<float>(w * h);
  convolveRows<<<dim3((w + 127) / 128, h), 128>>>(a, b, w);
  convolveColumns<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(b, c, w, h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      for (int k = -R; k <= R; ++k)
        if (x + k >= 0 && x + k < w)
          rows[y * w + x] += host[k + R] * image[y * w + x + k];
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      for (int k = -R; k <= R; ++k)
        if (y + k >= 0 && y + k < h)
          want[y * w + x] += host[k + R] * rows[(y + k) * w + x];
  return verdict(allNear(download(c, w * h), want, 1e-4));
}
