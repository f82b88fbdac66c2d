// SPDX-License-Identifier: Apache-2.0
// Smooths a tall scan with a row filter in shared memory, a recursive filter down each column and a
// column FIR filter.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 768
#define RADIUS 8
#define TAPS (2 * RADIUS + 1)
#define ROW_BLOCK 256
#define PASSES 3

static void die_on_error(cudaError_t err, const char* what) {
  if (err != cudaSuccess) {
    printf("FAIL %s: %s\n", what, cudaGetErrorString(err));
    exit(1);
  }
}

__constant__ float taps[TAPS];

/* one block makes 256 outputs of one row */
__global__ void filter_rows(const float* __restrict__ in, float* __restrict__ out, int height) {
  __shared__ float line[ROW_BLOCK + 2 * RADIUS];
  int row = blockIdx.y;
  int x0 = blockIdx.x * ROW_BLOCK;
  for (int i = threadIdx.x; i < ROW_BLOCK + 2 * RADIUS; i += blockDim.x) {
    int x = x0 + i - RADIUS;
    line[i] = (x >= 0 && x < WIDTH) ? in[(size_t)row * WIDTH + x] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < TAPS; k++)
    sum += taps[k] * line[threadIdx.x + k];
  out[(size_t)row * WIDTH + x0 + threadIdx.x] = sum;
}

/* first order recursive filter, down and then up again; a thread owns a column */
__global__ void recursive_columns(float* img, int height, float alpha) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= WIDTH)
    return;
  float state = img[x];
  for (int y = 0; y < height; y++) {
    state += alpha * (img[(size_t)y * WIDTH + x] - state);
    img[(size_t)y * WIDTH + x] = state;
  }
  for (int y = height - 1; y >= 0; y--) {
    state += alpha * (img[(size_t)y * WIDTH + x] - state);
    img[(size_t)y * WIDTH + x] = state;
  }
}

/* columns again: 32 columns to a block of 32 x 8, the block walks down a strip */
__global__ void filter_columns(const float* __restrict__ in, float* __restrict__ out, int height,
                               int strip) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y_end = min(height, (int)(blockIdx.y + 1) * strip);
  for (int y = blockIdx.y * strip + threadIdx.y; y < y_end; y += blockDim.y) {
    float sum = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; k++) {
      int yy = y + k;
      if (yy >= 0 && yy < height)
        sum += taps[k + RADIUS] * in[(size_t)yy * WIDTH + x];
    }
    out[(size_t)y * WIDTH + x] = sum;
  }
}

/* per column mean, as the background of the next stage */
__global__ void subtract_mean(float* img, int height) {
  __shared__ float part[8][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  float s = 0.0f;
  for (int y = threadIdx.y; y < height; y += 8)
    s += img[(size_t)y * WIDTH + x];
  part[threadIdx.y][threadIdx.x] = s;
  __syncthreads();
  float mean = 0.0f;
  for (int i = 0; i < 8; i++)
    mean += part[i][threadIdx.x];
  mean /= height;
  for (int y = threadIdx.y; y < height; y += 8)
    img[(size_t)y * WIDTH + x] -= 0.5f * mean;
}

static void host_pass(float* a, float* b, int height, const float* t, float alpha) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < WIDTH; x++) {
      float s = 0;
      for (int k = -RADIUS; k <= RADIUS; k++)
        if (x + k >= 0 && x + k < WIDTH)
          s += t[k + RADIUS] * a[(size_t)y * WIDTH + x + k];
      b[(size_t)y * WIDTH + x] = s;
    }
  float state[WIDTH];
  for (int x = 0; x < WIDTH; x++)
    state[x] = b[x];
  for (int i = 0; i < 2 * height; i++) {
    int y = i < height ? i : 2 * height - 1 - i;
    for (int x = 0; x < WIDTH; x++) {
      state[x] += alpha * (b[(size_t)y * WIDTH + x] - state[x]);
      b[(size_t)y * WIDTH + x] = state[x];
    }
  }
  double mean[WIDTH];
  for (int x = 0; x < WIDTH; x++)
    mean[x] = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < WIDTH; x++)
      a[(size_t)y * WIDTH + x] = 0;
  for (int y = 0; y < height; y++)
    for (int k = -RADIUS; k <= RADIUS; k++)
      if (y + k >= 0 && y + k < height)
        for (int x = 0; x < WIDTH; x++)
          a[(size_t)y * WIDTH + x] += t[k + RADIUS] * b[(size_t)(y + k) * WIDTH + x];
  for (int y = 0; y < height; y++)
    for (int x = 0; x < WIDTH; x++)
      mean[x] += a[(size_t)y * WIDTH + x];
  for (int y = 0; y < height; y++)
    for (int x = 0; x < WIDTH; x++)
      a[(size_t)y * WIDTH + x] -= (float)(0.5 * mean[x] / height);
}

int main(int argc, char** argv) {
  int height = argc > 1 ? atoi(argv[1]) : 64;
  if (height < 16)
    height = 16;
  size_t bytes = (size_t)height * WIDTH * sizeof(float);
  float *h_img = (float*)malloc(bytes), *h_tmp = (float*)malloc(bytes);
  float* h_got = (float*)malloc(bytes);
  unsigned s = 777;
  for (size_t i = 0; i < (size_t)height * WIDTH; i++) {
    s ^= s << 13, s ^= s >> 17, s ^= s << 5;
    h_img[i] = (s & 0xffff) / 65536.0f + (float)(i % WIDTH) / WIDTH;
  }
  float t[TAPS], total = 0;
  for (int k = 0; k < TAPS; k++)
    total += t[k] = expf(-(k - RADIUS) * (k - RADIUS) / 18.0f);
  for (int k = 0; k < TAPS; k++)
    t[k] /= total;

  float *d_a, *d_b;
  die_on_error(cudaMalloc((void**)&d_a, bytes), "malloc");
  die_on_error(cudaMalloc((void**)&d_b, bytes), "malloc");
  die_on_error(cudaMemcpy(d_a, h_img, bytes, cudaMemcpyHostToDevice), "copy in");
  die_on_error(cudaMemcpyToSymbol(taps, t, sizeof(t)), "taps");
  int strip = 256;
  for (int p = 0; p < PASSES; p++) {
    float alpha = 0.4f - 0.1f * p;
    filter_rows<<<dim3(WIDTH / ROW_BLOCK, height), ROW_BLOCK>>>(d_a, d_b, height);
    recursive_columns<<<(WIDTH + 63) / 64, 64>>>(d_b, height, alpha);
    filter_columns<<<dim3(WIDTH / 32, (height + strip - 1) / strip), dim3(32, 8)>>>(d_b, d_a,
                                                                                    height, strip);
    subtract_mean<<<WIDTH / 32, dim3(32, 8)>>>(d_a, height);
  }
  die_on_error(cudaDeviceSynchronize(), "kernels");
  die_on_error(cudaMemcpy(h_got, d_a, bytes, cudaMemcpyDeviceToHost), "copy out");

  for (int p = 0; p < PASSES; p++)
    host_pass(h_img, h_tmp, height, t, 0.4f - 0.1f * p);
  double worst = 0;
  for (size_t i = 0; i < (size_t)height * WIDTH; i++) {
    double d = fabs((double)h_img[i] - h_got[i]);
    if (!(d <= worst))
      worst = d;
  }
  cudaFree(d_a);
  cudaFree(d_b);
  printf("largest difference %g\n", worst);
  int ok = worst < 2e-4;
  puts(ok ? "PASS" : "FAIL columns differ");
  return ok ? 0 : 1;
}
