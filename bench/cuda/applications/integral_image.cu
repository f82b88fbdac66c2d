// SPDX-License-Identifier: Apache-2.0
// Builds integral images of values and squares and uses them for a local threshold and a box blur.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

#define CU(expr)                                                                                   \
  do {                                                                                             \
    auto status = (expr);                                                                          \
    if (status != cudaSuccess) {                                                                   \
      std::cout << "FAIL " << #expr << ": " << cudaGetErrorString(status) << std::endl;            \
      std::exit(EXIT_FAILURE);                                                                     \
    }                                                                                              \
  } while (false)

using Pixel = std::uint8_t;
using Total = unsigned int;
using Square = unsigned long long;

template <typename T> __device__ T warpInclusive(T v) {
  const int lane = threadIdx.x & 31;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    T up = __shfl_up_sync(~0u, v, d);
    if (lane >= d)
      v += up;
  }
  return v;
}

// One block does one row, 256 pixels at a time with a carry. T decides between values and squares.
template <typename T, bool Squared> __global__ void scanRows(const Pixel* in, T* out, int w) {
  __shared__ T warpSum[8];
  __shared__ T carry;
  const int row = blockIdx.x, tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
  if (tid == 0)
    carry = 0;
  __syncthreads();
  for (int base = 0; base < w; base += 256) {
    const int x = base + tid;
    T v = x < w ? in[row * w + x] : 0;
    if (Squared)
      v *= v;
    v = warpInclusive(v);
    if (lane == 31)
      warpSum[warp] = v;
    __syncthreads();
    T before = carry;
    for (int k = 0; k < warp; k++)
      before += warpSum[k];
    if (x < w)
      out[row * w + x] = before + v;
    __syncthreads();
    if (tid == 255)
      carry = before + v;
    __syncthreads();
  }
}

// a thread runs down one column
template <typename T> __global__ void scanColumns(T* img, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w)
    return;
  T sum = 0;
  for (int y = 0; y < h; y++) {
    sum += img[y * w + x];
    img[y * w + x] = sum;
  }
}

template <typename T>
__host__ __device__ T boxSum(const T* s, int w, int x0, int y0, int x1, int y1) { // inclusive
  T r = s[y1 * w + x1];
  if (x0 > 0)
    r -= s[y1 * w + x0 - 1];
  if (y0 > 0)
    r -= s[(y0 - 1) * w + x1];
  if (x0 > 0 && y0 > 0)
    r += s[(y0 - 1) * w + x0 - 1];
  return r;
}

// black where the pixel lies more than half a deviation below its neighbourhood's mean
__host__ __device__ inline Pixel decide(Pixel p, const Total* s, const Square* q, int w, int h,
                                        int x, int y, int r) {
  const int x0 = x - r < 0 ? 0 : x - r, x1 = x + r >= w ? w - 1 : x + r;
  const int y0 = y - r < 0 ? 0 : y - r, y1 = y + r >= h ? h - 1 : y + r;
  const long long n = (long long)(x1 - x0 + 1) * (y1 - y0 + 1);
  const long long sum = boxSum(s, w, x0, y0, x1, y1), sq = boxSum(q, w, x0, y0, x1, y1);
  const long long below = sum - n * p;      // n * (mean - p)
  const long long var = n * sq - sum * sum; // n^2 * variance
  return below > 0 && 4 * below * below > var ? 0 : 255;
}

__global__ void localThreshold(const Pixel* in, const Total* s, const Square* q, Pixel* out, int w,
                               int h, int r) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = decide(in[y * w + x], s, q, w, h, x, y, r);
}

__global__ void boxBlur(const Total* s, Pixel* out, int w, int h, int r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * h)
    return;
  const int x = i % w, y = i / w;
  const int x0 = max(x - r, 0), x1 = min(x + r, w - 1), y0 = max(y - r, 0), y1 = min(y + r, h - 1);
  out[i] = boxSum(s, w, x0, y0, x1, y1) / ((x1 - x0 + 1) * (y1 - y0 + 1));
}

int main(int argc, char** argv) {
  int w = argc > 1 ? std::atoi(argv[1]) : 256;
  if (w < 32)
    w = 32;
  const int h = w / 2 + 3, n = w * h;
  std::vector<Pixel> img(n);
  std::uint32_t state = 0x9e3779b9u;
  for (int i = 0; i < n; i++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const int x = i % w, y = i / w;
    const bool ink = (x % 11 < 2 && y % 17 > 4) || y % 23 == 3;
    img[i] = (ink ? 60 : 180) + x * 40 / w + (state & 31);
  }

  Pixel *dIn, *dBw, *dBlur;
  Total* dSum;
  Square* dSq;
  CU(cudaMalloc(&dIn, n));
  CU(cudaMalloc(&dBw, n));
  CU(cudaMalloc(&dBlur, n));
  CU(cudaMalloc(&dSum, n * sizeof(Total)));
  CU(cudaMalloc(&dSq, n * sizeof(Square)));
  CU(cudaMemcpy(dIn, img.data(), n, cudaMemcpyHostToDevice));
  scanRows<Total, false><<<h, 256>>>(dIn, dSum, w);
  scanRows<Square, true><<<h, 256>>>(dIn, dSq, w);
  scanColumns<<<(w + 31) / 32, 32>>>(dSum, w, h);
  scanColumns<<<(w + 31) / 32, 32>>>(dSq, w, h);
  CU(cudaGetLastError());

  std::vector<Total> s(n);
  std::vector<Square> q(n);
  for (int y = 0; y < h; y++) {
    Total rs = 0;
    Square rq = 0;
    for (int x = 0; x < w; x++) {
      rs += img[y * w + x];
      rq += img[y * w + x] * img[y * w + x];
      s[y * w + x] = rs + (y ? s[(y - 1) * w + x] : 0);
      q[y * w + x] = rq + (y ? q[(y - 1) * w + x] : 0);
    }
  }
  int bad = 0;
  std::vector<Total> gs(n);
  std::vector<Square> gq(n);
  CU(cudaMemcpy(gs.data(), dSum, n * sizeof(Total), cudaMemcpyDeviceToHost));
  CU(cudaMemcpy(gq.data(), dSq, n * sizeof(Square), cudaMemcpyDeviceToHost));
  bad += gs != s || gq != q;
  for (int r = 3; r <= 12; r += 3) {
    std::vector<Pixel> bw(n), blur(n);
    localThreshold<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(dIn, dSum, dSq, dBw, w, h, r);
    boxBlur<<<(n + 127) / 128, 128>>>(dSum, dBlur, w, h, r);
    CU(cudaMemcpy(bw.data(), dBw, n, cudaMemcpyDeviceToHost));
    CU(cudaMemcpy(blur.data(), dBlur, n, cudaMemcpyDeviceToHost));
    long black = 0;
    for (int i = 0; i < n; i++) {
      const int x = i % w, y = i / w;
      bad += bw[i] != decide(img[i], s.data(), q.data(), w, h, x, y, r);
      const int x0 = std::max(x - r, 0), x1 = std::min(x + r, w - 1);
      const int y0 = std::max(y - r, 0), y1 = std::min(y + r, h - 1);
      bad += blur[i] != boxSum(s.data(), w, x0, y0, x1, y1) / ((x1 - x0 + 1) * (y1 - y0 + 1));
      black += bw[i] == 0;
    }
    std::cout << "radius " << r << ": " << black << " black\n";
  }
  cudaFree(dIn);
  cudaFree(dBw);
  cudaFree(dBlur);
  cudaFree(dSum);
  cudaFree(dSq);
  if (bad) {
    std::cout << "FAIL " << bad << " values\n";
    return 1;
  }
  std::cout << "PASS\n";
  return 0;
}
