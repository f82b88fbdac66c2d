// SPDX-License-Identifier: Apache-2.0
// Removes noise from a picture by non-local means, once straight from global memory and once from a
// shared tile.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SEARCH 4 /* half of the search window */
#define PATCH 1  /* half of a patch */
#define HALO (SEARCH + PATCH)
#define BS 16
#define TW (BS + 2 * HALO)

#define ASSERT_CUDA(c)                                                                             \
  do {                                                                                             \
    cudaError_t e = (c);                                                                           \
    if (e != cudaSuccess) {                                                                        \
      fprintf(stderr, "%s\n", cudaGetErrorString(e));                                              \
      printf("FAIL\n");                                                                            \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

__device__ __host__ static inline int mirror(int i, int n) {
  if (i < 0)
    return -i - 1;
  if (i >= n)
    return 2 * n - i - 1;
  return i;
}

__global__ void estimate_noise(const float* img, int n, float* sigma_sum) {
  /* mean absolute Laplacian response */
  __shared__ float red[256];
  int tid = threadIdx.x;
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + tid; i < n * n; i += gridDim.x * blockDim.x) {
    int x = i % n, y = i / n;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
      s += fabsf(4 * img[i] - img[i - 1] - img[i + 1] - img[i - n] - img[i + n]);
  }
  red[tid] = s;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (tid < k)
      red[tid] += red[tid + k];
    __syncthreads();
  }
  if (tid == 0)
    atomicAdd(sigma_sum, red[0]);
}

__global__ void nlm_simple(const float* img, float* out, int n, double strength) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  float norm = 0, value = 0;
  float inv = -1.0 / (strength * strength * 9);
  for (int sy = -SEARCH; sy <= SEARCH; sy++)
    for (int sx = -SEARCH; sx <= SEARCH; sx++) {
      float d = 0;
      for (int py = -PATCH; py <= PATCH; py++)
        for (int px = -PATCH; px <= PATCH; px++) {
          float a = img[mirror(y + py, n) * n + mirror(x + px, n)];
          float b = img[mirror(y + sy + py, n) * n + mirror(x + sx + px, n)];
          d += (a - b) * (a - b);
        }
      float w = expf(d * inv);
      norm += w;
      value += w * img[mirror(y + sy, n) * n + mirror(x + sx, n)];
    }
  out[y * n + x] = value / norm;
}

__global__ void nlm_tiled(const float* __restrict__ img, float* __restrict__ out, int n,
                          float strength) {
  __shared__ float t[TW][TW + 1];
  int x0 = blockIdx.x * BS - HALO, y0 = blockIdx.y * BS - HALO;
  for (int j = threadIdx.y; j < TW; j += BS)
    for (int i = threadIdx.x; i < TW; i += BS) {
      /* beyond the mirrored rim nothing is read, so clamp for blocks which stick out */
      int xx = mirror(min(x0 + i, 2 * n - 1), n), yy = mirror(min(y0 + j, 2 * n - 1), n);
      t[j][i] = img[yy * n + xx];
    }
  __syncthreads();
  int x = blockIdx.x * BS + threadIdx.x, y = blockIdx.y * BS + threadIdx.y;
  if (x >= n || y >= n)
    return;
  int cx = threadIdx.x + HALO, cy = threadIdx.y + HALO;
  float p[9];
#pragma unroll
  for (int k = 0; k < 9; k++)
    p[k] = t[cy + k / 3 - 1][cx + k % 3 - 1];
  float inv = -1.0f / (strength * strength * 9), norm = 0, value = 0;
  for (int sy = -SEARCH; sy <= SEARCH; sy++)
    for (int sx = -SEARCH; sx <= SEARCH; sx++) {
      float d = 0;
#pragma unroll
      for (int k = 0; k < 9; k++) {
        float e = p[k] - t[cy + sy + k / 3 - 1][cx + sx + k % 3 - 1];
        d += e * e;
      }
      float w = __expf(d * inv);
      norm += w;
      value += w * t[cy + sy][cx + sx];
    }
  out[y * n + x] = value / norm;
}

static float host_pixel(const float* img, int n, int x, int y, float strength) {
  double norm = 0, value = 0;
  for (int sy = -SEARCH; sy <= SEARCH; sy++)
    for (int sx = -SEARCH; sx <= SEARCH; sx++) {
      double d = 0;
      for (int k = 0; k < 9; k++) {
        double e = img[mirror(y + k / 3 - 1, n) * n + mirror(x + k % 3 - 1, n)] -
                   img[mirror(y + sy + k / 3 - 1, n) * n + mirror(x + sx + k % 3 - 1, n)];
        d += e * e;
      }
      double w = exp(-d / (strength * strength * 9));
      norm += w;
      value += w * img[mirror(y + sy, n) * n + mirror(x + sx, n)];
    }
  return (float)(value / norm);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 96;
  if (n < 2 * HALO)
    n = 2 * HALO;
  float *clean = (float*)malloc(n * n * 4), *noisy = (float*)malloc(n * n * 4);
  float *r1 = (float*)malloc(n * n * 4), *r2 = (float*)malloc(n * n * 4);
  unsigned s = 5;
  for (int i = 0; i < n * n; i++) {
    int x = i % n, y = i / n;
    float noise = 0;
    for (int k = 0; k < 4; k++) {
      s = s * 1664525u + 1013904223u;
      noise += (s >> 8) / 16777216.0f - 0.5f;
    }
    clean[i] = ((x / 20 + y / 14) % 3) * 0.3f + 0.2f;
    noisy[i] = clean[i] + 0.1f * noise;
  }
  float *d_img, *d_a, *d_b, *d_sum;
  ASSERT_CUDA(cudaMalloc(&d_img, n * n * 4));
  ASSERT_CUDA(cudaMalloc(&d_a, n * n * 4));
  ASSERT_CUDA(cudaMalloc(&d_b, n * n * 4));
  ASSERT_CUDA(cudaMalloc(&d_sum, 4));
  ASSERT_CUDA(cudaMemset(d_sum, 0, 4));
  ASSERT_CUDA(cudaMemcpy(d_img, noisy, n * n * 4, cudaMemcpyHostToDevice));

  estimate_noise<<<32, 256>>>(d_img, n, d_sum);
  float sum;
  ASSERT_CUDA(cudaMemcpy(&sum, d_sum, 4, cudaMemcpyDeviceToHost));
  float sigma = sum / ((n - 2) * (n - 2)) / 3.57f;
  float strength = 1.2f * sigma;

  dim3 b(BS, BS), g((n + BS - 1) / BS, (n + BS - 1) / BS);
  nlm_simple<<<g, b>>>(d_img, d_a, n, strength);
  nlm_tiled<<<g, b>>>(d_img, d_b, n, strength);
  ASSERT_CUDA(cudaMemcpy(r1, d_a, n * n * 4, cudaMemcpyDeviceToHost));
  ASSERT_CUDA(cudaMemcpy(r2, d_b, n * n * 4, cudaMemcpyDeviceToHost));
  /* a second round with half the strength, on its own result */
  nlm_tiled<<<g, b>>>(d_b, d_a, n, strength * 0.5f);
  float* r3 = (float*)malloc(n * n * 4);
  ASSERT_CUDA(cudaMemcpy(r3, d_a, n * n * 4, cudaMemcpyDeviceToHost));

  double lap = 0;
  for (int y = 1; y < n - 1; y++)
    for (int x = 1; x < n - 1; x++) {
      const float* p = noisy + y * n + x;
      lap += fabsf(4 * p[0] - p[-1] - p[1] - p[-n] - p[n]);
    }
  int bad = fabs(lap - sum) > 1e-3 * lap;
  double mse0 = 0, mse1 = 0;
  for (int i = 0; i < n * n; i++) {
    bad += !(fabsf(r1[i] - r2[i]) < 1e-4f);
    mse0 += (noisy[i] - clean[i]) * (noisy[i] - clean[i]);
    mse1 += (r3[i] - clean[i]) * (r3[i] - clean[i]);
    if (i % 53 == 0) {
      bad += !(fabsf(r1[i] - host_pixel(noisy, n, i % n, i / n, strength)) < 1e-4f);
      bad += !(fabsf(r3[i] - host_pixel(r2, n, i % n, i / n, strength * 0.5f)) < 1e-4f);
    }
  }
  printf("sigma %.4f, squared error %.3g -> %.3g\n", sigma, mse0 / (n * n), mse1 / (n * n));
  if (bad || !(mse1 < mse0)) {
    printf("FAIL %d\n", bad);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
