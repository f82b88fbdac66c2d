// SPDX-License-Identifier: Apache-2.0
#ifndef FILTERS_CUH
#define FILTERS_CUH

typedef unsigned char pixel;

__host__ __device__ inline int clampi(int v, int lo, int hi)
{
  return v < lo ? lo : (v > hi ? hi : v);
}

// Insertion sort of the window, then the middle.
template <int R>
__host__ __device__ pixel medianAt(const pixel* img, int w, int h, int x, int y)
{
  const int N = (2 * R + 1) * (2 * R + 1);
  pixel win[N];
  int n = 0;
  for (int dy = -R; dy <= R; dy++)
    for (int dx = -R; dx <= R; dx++) {
      pixel p = img[clampi(y + dy, 0, h - 1) * w + clampi(x + dx, 0, w - 1)];
      int k = n++;
      while (k > 0 && win[k - 1] > p) {
        win[k] = win[k - 1];
        k--;
      }
      win[k] = p;
    }
  return win[N / 2];
}

template <int R>
__global__ void medianKernel(const pixel* in, const pixel* noisy, pixel* out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  if (!noisy[y * w + x]) {
    out[y * w + x] = in[y * w + x];
    return;
  }
  out[y * w + x] = medianAt<R>(in, w, h, x, y);
}

// Marks pixels that are much brighter or darker than all four neighbours.
__global__ void markNoise(const pixel* in, pixel* noisy, int w, int h, int threshold)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int c = in[y * w + x];
  int above = 0, below = 0;
  const int dx[4] = {-1, 1, 0, 0}, dy[4] = {0, 0, -1, 1};
  for (int k = 0; k < 4; k++) {
    int d = c - in[clampi(y + dy[k], 0, h - 1) * w + clampi(x + dx[k], 0, w - 1)];
    if (d > threshold)
      above++;
    else if (-d > threshold)
      below++;
  }
  noisy[y * w + x] = above >= 3 || below >= 3;
}

// Only pixels of the region of interest are smoothed; the window is cut at the borders.
__global__ void bilateralKernel(const pixel* in, const pixel* roi, float* out, int w, int h, int radius, float sigmaS, float sigmaR)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int i = y * w + x;
  if (!roi[i]) {
    out[i] = in[i];
    return;
  }
  float centre = in[i], sum = 0, weight = 0;
  for (int dy = -radius; dy <= radius; dy++) {
    int yy = y + dy;
    if (yy < 0 || yy >= h)
      continue;
    for (int dx = -radius; dx <= radius; dx++) {
      int xx = x + dx;
      if (xx < 0 || xx >= w || dx * dx + dy * dy > radius * radius)
        continue;
      float d = in[yy * w + xx] - centre;
      float k = expf(-(dx * dx + dy * dy) / (2 * sigmaS * sigmaS) - d * d / (2 * sigmaR * sigmaR));
      sum += k * in[yy * w + xx];
      weight += k;
    }
  }
  out[i] = sum / weight;
}

#endif
