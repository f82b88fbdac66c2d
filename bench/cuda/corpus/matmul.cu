// SPDX-License-Identifier: Apache-2.0
// Product of two square matrices of floats: tiles in shared memory, four results a thread.
#include "common.h"

const int T = 32;

__global__ void multiplyTiles(const float* a, const float* b, float* c, int n) {
  __shared__ float as[T][T], bs[T][T];
  int x = blockIdx.x * T + threadIdx.x, y0 = blockIdx.y * T + threadIdx.y;
  float sum[4] = {};
  for (int base = 0; base < n; base += T) {
    for (int k = 0; k < 4; ++k) {
      as[threadIdx.y + 8 * k][threadIdx.x] = a[(y0 + 8 * k) * n + base + threadIdx.x];
      bs[threadIdx.y + 8 * k][threadIdx.x] = b[(base + threadIdx.y + 8 * k) * n + x];
    }
    __syncthreads();
    for (int m = 0; m < T; ++m)
      for (int k = 0; k < 4; ++k)
        sum[k] += as[threadIdx.y + 8 * k][m] * bs[m][threadIdx.x];
    __syncthreads();
  }
  for (int k = 0; k < 4; ++k)
    c[(y0 + 8 * k) * n + x] = sum[k];
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 64);
  std::vector<float> a(n * n), b(n * n), want(n * n, 0.0f);
  for (int i = 0; i < n * n; ++i) {
    a[i] = i % 7 - 3;
    b[i] = i % 5 - 2;
  }
  float *da = upload(a), *db = upload(b), *dc = allocate<float>(n * n);
  multiplyTiles<<<dim3(n / T, n / T), dim3(T, 8)>>>(da, db, dc, n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        want[i * n + j] += a[i * n + k] * b[k * n + j];
  return verdict(download(dc, n * n) == want);
}
