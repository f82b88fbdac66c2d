// SPDX-License-Identifier: Apache-2.0
// Depthwise 3x3 convolution in NHWC order, batch normalisation with fresh statistics, ReLU6 and a
// pointwise mixing of channels.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define C 64 /* channels */
#define OUTC 32
#define B 2 /* pictures in a batch */
#define EPS 1e-3

#define CALL(x)                                                                                    \
  do {                                                                                             \
    int rc_ = (int)(x);                                                                            \
    if (rc_) {                                                                                     \
      printf("FAIL code %d from %s\n", rc_, #x);                                                   \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

__global__ void depthwise(const float* x, const float* filt, float* y, int H, int W) {
  int c = threadIdx.x;
  int px = blockIdx.x * blockDim.y + threadIdx.y;
  if (px >= B * H * W)
    return;
  int img = px / (H * W), row = px / W % H, col = px % W;
  float s = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      int r = row + j, q = col + i;
      if (r < 0 || r >= H || q < 0 || q >= W)
        continue;
      s += filt[c * 9 + (j + 1) * 3 + i + 1] * x[((img * H + r) * W + q) * C + c];
    }
  y[px * C + c] = s;
}

/* one block to a channel, strided reads, double sums */
__global__ void channel_stats(const float* y, double* mean, double* var, int count) {
  __shared__ double s1[256], s2[256];
  int c = blockIdx.x, t = threadIdx.x;
  double a = 0, b = 0;
  for (int i = t; i < count; i += 256) {
    double v = y[i * C + c];
    a += v;
    b += v * v;
  }
  s1[t] = a;
  s2[t] = b;
  __syncthreads();
  for (int k = 128; k; k >>= 1) {
    if (t < k) {
      s1[t] += s1[t + k];
      s2[t] += s2[t + k];
    }
    __syncthreads();
  }
  if (t == 0) {
    double m = s1[0] / count;
    mean[c] = m;
    var[c] = s2[0] / count - m * m;
  }
}

__global__ void normalise_relu6(float* y, const double* mean, const double* var, const float* gamma,
                                const float* beta, int total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total)
    return;
  int c = i % C;
  float v = (y[i] - mean[c]) / sqrt(var[c] + EPS) * gamma[c] + beta[c];
  y[i] = v < 0 ? 0 : (v > 6 ? 6 : v);
}

/* 1x1 convolution: 8 pixels to a block, their channels in shared memory */
__global__ void pointwise(const float* __restrict__ y, const float* __restrict__ w,
                          float* __restrict__ z, int count) {
  __shared__ float px[8][C];
  int base = blockIdx.x * 8;
  int tid = threadIdx.y * OUTC + threadIdx.x;
  for (int i = tid; i < 8 * C; i += 8 * OUTC)
    px[i / C][i % C] = base + i / C < count ? y[base * C + i] : 0.0f;
  __syncthreads();
  int o = threadIdx.x, p = base + threadIdx.y;
  if (p >= count)
    return;
  float s = 0;
#pragma unroll 8
  for (int c = 0; c < C; c++)
    s += px[threadIdx.y][c] * w[c * OUTC + o];
  z[p * OUTC + o] = s;
}

static unsigned state = 1234567;
static float uniform(float lo, float hi) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return lo + (hi - lo) * (state >> 8) / 16777216.0f;
}

static float* host_random(int n, float lo, float hi) {
  float* p = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++)
    p[i] = uniform(lo, hi);
  return p;
}

static float* device_copy(const float* h, int n) {
  float* d;
  CALL(cudaMalloc(&d, n * sizeof(float)));
  CALL(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
  return d;
}

int main(int argc, char** argv) {
  int W = argc > 1 ? atoi(argv[1]) : 28;
  if (W < 4)
    W = 4;
  int H = W, count = B * H * W;
  float *x = host_random(count * C, -1, 1), *filt = host_random(C * 9, -0.5f, 0.7f);
  float *gamma = host_random(C, 0.5f, 2), *beta = host_random(C, -0.5f, 1);
  float* w = host_random(C * OUTC, -0.2f, 0.2f);
  float *dx = device_copy(x, count * C), *dfilt = device_copy(filt, C * 9);
  float *dgamma = device_copy(gamma, C), *dbeta = device_copy(beta, C);
  float *dw = device_copy(w, C * OUTC), *dy, *dz;
  double *dmean, *dvar;
  CALL(cudaMalloc(&dy, count * C * sizeof(float)));
  CALL(cudaMalloc(&dz, count * OUTC * sizeof(float)));
  CALL(cudaMalloc(&dmean, C * sizeof(double)));
  CALL(cudaMalloc(&dvar, C * sizeof(double)));

  for (int it = 0; it < 3; it++) {
    depthwise<<<(count + 3) / 4, dim3(C, 4)>>>(dx, dfilt, dy, H, W);
    channel_stats<<<C, 256>>>(dy, dmean, dvar, count);
    normalise_relu6<<<(count * C + 511) / 512, 512>>>(dy, dmean, dvar, dgamma, dbeta, count * C);
    pointwise<<<(count + 7) / 8, dim3(OUTC, 8)>>>(dy, dw, dz, count);
  }
  float* z = (float*)malloc(count * OUTC * sizeof(float));
  CALL(cudaMemcpy(z, dz, count * OUTC * sizeof(float), cudaMemcpyDeviceToHost));

  float* y = (float*)calloc(count * C, sizeof(float));
  double m[C], v[C];
  memset(m, 0, sizeof(m));
  memset(v, 0, sizeof(v));
  for (int p = 0; p < count; p++) {
    int img = p / (H * W), row = p / W % H, col = p % W;
    for (int k = 0; k < 9; k++) {
      int r = row + k / 3 - 1, q = col + k % 3 - 1;
      if (r >= 0 && r < H && q >= 0 && q < W)
        for (int c = 0; c < C; c++)
          y[p * C + c] += filt[c * 9 + k] * x[((img * H + r) * W + q) * C + c];
    }
    for (int c = 0; c < C; c++)
      m[c] += y[p * C + c] / (double)count;
  }
  for (int p = 0; p < count; p++)
    for (int c = 0; c < C; c++)
      v[c] += (y[p * C + c] - m[c]) * (y[p * C + c] - m[c]) / count;
  double worst = 0;
  for (int p = 0; p < count; p++) {
    float out[OUTC] = {0};
    for (int c = 0; c < C; c++) {
      float a = (float)((y[p * C + c] - m[c]) / sqrt(v[c] + EPS) * gamma[c] + beta[c]);
      a = fminf(fmaxf(a, 0), 6);
      for (int o = 0; o < OUTC; o++)
        out[o] += a * w[c * OUTC + o];
    }
    for (int o = 0; o < OUTC; o++)
      worst = fmax(worst, fabs(out[o] - z[p * OUTC + o]));
  }
  printf("%d values, worst difference %g\n", count * OUTC, worst);
  if (worst > 1e-3 || worst != worst) {
    printf("FAIL\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
