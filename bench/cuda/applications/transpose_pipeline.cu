// SPDX-License-Identifier: Apache-2.0
// Summed area tables and box filters by row scans and several matrix transposes.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define TILE 32
#define ROWS 8

#define cudaCheckErrors(msg)                                                                       \
  do {                                                                                             \
    cudaError_t __err = cudaGetLastError();                                                        \
    if (__err != cudaSuccess) {                                                                    \
      printf("FAIL %s (%s)\n", msg, cudaGetErrorString(__err));                                    \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

__host__ __device__ uint32_t pixel(uint32_t i) {
  i = (i ^ 61u) ^ (i >> 16);
  i *= 9u;
  i ^= i >> 4;
  i *= 0x27d4eb2du;
  return (i ^ (i >> 15)) & 255u;
}

__global__ void fill(uint32_t* img, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    img[i] = pixel(i);
}

__global__ void transposeNaive(const uint32_t* in, uint32_t* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[x * h + y] = in[y * w + x];
}

// Shared tile without padding: the column reads conflict.
__global__ void transposeTile(const uint32_t* in, uint32_t* out, int w, int h) {
  __shared__ uint32_t tile[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x, y0 = blockIdx.y * TILE;
  for (int r = threadIdx.y; r < TILE; r += ROWS)
    if (x < w && y0 + r < h)
      tile[r][threadIdx.x] = in[(y0 + r) * w + x];
  __syncthreads();
  int tx = y0 + threadIdx.x;
  for (int r = threadIdx.y; r < TILE; r += ROWS)
    if (tx < h && blockIdx.x * TILE + r < w)
      out[(blockIdx.x * TILE + r) * h + tx] = tile[threadIdx.x][r];
}

__global__ void transposePadded(const uint32_t* __restrict__ in, uint32_t* __restrict__ out, int w,
                                int h) {
  __shared__ uint32_t tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y0 = blockIdx.y * TILE;
#pragma unroll
  for (int r = 0; r < TILE; r += ROWS)
    if (x < w && y0 + threadIdx.y + r < h)
      tile[threadIdx.y + r][threadIdx.x] = in[(y0 + threadIdx.y + r) * w + x];
  __syncthreads();
  int tx = y0 + threadIdx.x, ty = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
  for (int r = 0; r < TILE; r += ROWS)
    if (tx < h && ty + r < w)
      out[(ty + r) * h + tx] = tile[threadIdx.x][threadIdx.y + r];
}

// A warp scans a row in pieces of 32.
__global__ void scanRows(uint32_t* m, int w, int h) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= h)
    return;
  uint32_t carry = 0;
  for (int x0 = 0; x0 < w; x0 += 32) {
    int x = x0 + threadIdx.x;
    uint32_t v = x < w ? m[row * w + x] : 0u;
    for (int d = 1; d < 32; d <<= 1) {
      uint32_t o = __shfl_up_sync(0xffffffffu, v, d);
      if (threadIdx.x >= d)
        v += o;
    }
    v += carry;
    if (x < w)
      m[row * w + x] = v;
    carry = __shfl_sync(0xffffffffu, v, 31);
  }
}

// Mean of a square window from the table, clamped at the border.
__global__ void boxMean(const uint32_t* sat, uint32_t* out, int w, int h, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int x0 = max(x - radius, 0) - 1, x1 = min(x + radius, w - 1);
  int y0 = max(y - radius, 0) - 1, y1 = min(y + radius, h - 1);
  uint32_t s = sat[y1 * w + x1];
  if (x0 >= 0)
    s -= sat[y1 * w + x0];
  if (y0 >= 0)
    s -= sat[y0 * w + x1];
  if (x0 >= 0 && y0 >= 0)
    s += sat[y0 * w + x0];
  out[y * w + x] = s / (uint32_t)((x1 - x0) * (y1 - y0));
}

int main(int argc, char** argv) {
  int w = argc > 1 ? atoi(argv[1]) : 300;
  int h = w * 2 / 3 + 5;
  int count = w * h;
  uint32_t *a, *b;
  cudaMalloc(&a, count * sizeof(uint32_t));
  cudaMalloc(&b, count * sizeof(uint32_t));
  cudaCheckErrors("allocation");
  dim3 blk(TILE, ROWS);
  dim3 g((w + TILE - 1) / TILE, (h + TILE - 1) / TILE), gt(g.y, g.x);
  dim3 fine((w + TILE - 1) / TILE, (h + ROWS - 1) / ROWS);
  dim3 fineT((h + TILE - 1) / TILE, (w + ROWS - 1) / ROWS);
  fill<<<(count + 255) / 256, 256>>>(a, count);
  // box filter three times, each pass with another transpose
  for (int pass = 0; pass < 3; ++pass) {
    scanRows<<<(h + 3) / 4, dim3(32, 4)>>>(a, w, h);
    if (pass == 0)
      transposeNaive<<<fine, blk>>>(a, b, w, h);
    else if (pass == 1)
      transposeTile<<<g, blk>>>(a, b, w, h);
    else
      transposePadded<<<g, blk>>>(a, b, w, h);
    scanRows<<<(w + 3) / 4, dim3(32, 4)>>>(b, h, w);
    if (pass == 0)
      transposeNaive<<<fineT, blk>>>(b, a, h, w);
    else if (pass == 1)
      transposeTile<<<gt, blk>>>(b, a, h, w);
    else
      transposePadded<<<gt, blk>>>(b, a, h, w);
    boxMean<<<fine, blk>>>(a, b, w, h, 2 + pass);
    uint32_t* t = a;
    a = b;
    b = t;
  }
  cudaDeviceSynchronize();
  cudaCheckErrors("pipeline");
  std::vector<uint32_t> got(count), img(count), sat(count);
  cudaMemcpy(got.data(), a, count * sizeof(uint32_t), cudaMemcpyDeviceToHost);
  cudaCheckErrors("download");
  for (int i = 0; i < count; i++)
    img[i] = pixel(i);
  for (int pass = 0; pass < 3; pass++) {
    for (int y = 0; y < h; y++) {
      uint32_t run = 0;
      for (int x = 0; x < w; x++) {
        run += img[y * w + x];
        sat[y * w + x] = run + (y ? sat[(y - 1) * w + x] : 0);
      }
    }
    int r = 2 + pass;
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        int x0 = (x > r ? x - r : 0) - 1, x1 = x + r < w ? x + r : w - 1;
        int y0 = (y > r ? y - r : 0) - 1, y1 = y + r < h ? y + r : h - 1;
        uint32_t s = sat[y1 * w + x1] - (x0 >= 0 ? sat[y1 * w + x0] : 0) -
                     (y0 >= 0 ? sat[y0 * w + x1] : 0) + (x0 >= 0 && y0 >= 0 ? sat[y0 * w + x0] : 0);
        img[y * w + x] = s / (uint32_t)((x1 - x0) * (y1 - y0));
      }
  }
  long bad = 0;
  for (int i = 0; i < count; i++)
    bad += img[i] != got[i];
  cudaFree(a);
  cudaFree(b);
  if (bad) {
    printf("FAIL %ld pixels differ\n", bad);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
