// SPDX-License-Identifier: Apache-2.0
// COVERS: half, half2, half: dequantisation, vector types
// int8 and int4 weights with a scale for each group of 32, turned into half, then a product with a
// vector of half. Arguments: rows columns.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_fp16.h>

#define GROUP 32
#define CUDA_CHECK(err)                                                                            \
  do {                                                                                             \
    cudaError_t err_ = (err);                                                                      \
    if (err_ != cudaSuccess) {                                                                     \
      fprintf(stderr, "CUDA error %d at %s:%d: %s\n", err_, __FILE__, __LINE__,                    \
              cudaGetErrorString(err_));                                                           \
      printf("FAIL\n");                                                                            \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

struct block_q8 {
  half d;
  int8_t qs[GROUP];
};
struct block_q4 {
  half d, m;
  uint8_t qs[GROUP / 2];
};
static_assert(sizeof(block_q8) == 34 && sizeof(block_q4) == 20, "packed as on disk");

__device__ __forceinline__ void dequantize(const block_q8& b, int i, half2& v) {
  v = __hmul2(__halves2half2(__int2half_rn(b.qs[i]), __short2half_rn(b.qs[i + 1])),
              __half2half2(b.d));
}

__device__ __forceinline__ void dequantize(const block_q4& b, int i, half2& v) {
  uint8_t q = b.qs[i / 2];
  v = __hfma2(__floats2half2_rn(q & 15, q >> 4), __half2half2(b.d), __half2half2(b.m));
}

template <typename Block> __global__ void expand(const Block* in, half2* out, int blocks) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks * GROUP / 2)
    return;
  half2 v;
  dequantize(in[i / (GROUP / 2)], i % (GROUP / 2) * 2, v);
  out[i] = v;
}

template <typename Block>
__global__ void mulVec(const Block* w, const half2* x, float* y, int columns) {
  const Block* row = w + (size_t)blockIdx.x * columns / GROUP;
  float sum = 0;
  for (int i = 2 * threadIdx.x; i < columns; i += 2 * blockDim.x) {
    half2 v;
    dequantize(row[i / GROUP], i % GROUP, v);
    float2 p = __half22float2(__hmul2(v, x[i / 2]));
    sum += p.x + p.y;
  }
  for (int o = 16; o > 0; o >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, o);
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum;
}

template <typename Block>
int run(const std::vector<Block>& w, int rows, int columns, float (*value)(const Block&, int)) {
  std::vector<half> x(columns), all(rows * columns);
  for (int i = 0; i < columns; ++i)
    x[i] = __float2half((float)(i % 3 - 1));
  Block* dw;
  half *dx, *dall;
  float* dy;
  CUDA_CHECK(cudaMalloc(&dw, w.size() * sizeof(Block)));
  CUDA_CHECK(cudaMalloc(&dx, columns * sizeof(half)));
  CUDA_CHECK(cudaMalloc(&dall, all.size() * sizeof(half)));
  CUDA_CHECK(cudaMalloc(&dy, rows * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(dw, w.data(), w.size() * sizeof(Block), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(dx, x.data(), columns * sizeof(half), cudaMemcpyHostToDevice));
  expand<<<((int)all.size() / 2 + 255) / 256, 256>>>(dw, (half2*)dall, (int)w.size());
  mulVec<<<rows, 32>>>(dw, (half2*)dx, dy, columns);
  CUDA_CHECK(cudaGetLastError());
  std::vector<float> y(rows);
  CUDA_CHECK(cudaMemcpy(all.data(), dall, all.size() * sizeof(half), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(y.data(), dy, rows * sizeof(float), cudaMemcpyDeviceToHost));
  cudaFree(dw), cudaFree(dx), cudaFree(dall), cudaFree(dy);
  int errors = 0;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = 0; c < columns; ++c) {
      float v = value(w[(r * columns + c) / GROUP], c % GROUP);
      sum += v * (float)(c % 3 - 1);
      if (__half2float(all[r * columns + c]) != v && errors++ < 4)
        printf("weight (%d, %d) is %g, expected %g\n", r, c, __half2float(all[r * columns + c]), v);
    }
    if (y[r] != sum && errors++ < 8)
      printf("row %d is %g, expected %g\n", r, y[r], sum);
  }
  return errors;
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 24,
      columns = (argc > 2 ? atoi(argv[2]) : 256) / GROUP * GROUP;
  std::vector<block_q8> q8(rows * columns / GROUP);
  std::vector<block_q4> q4(rows * columns / GROUP);
  // Powers of two as scales: nothing is rounded.
  for (size_t b = 0; b < q8.size(); ++b) {
    q8[b].d = __float2half(ldexpf(1.0f, -(int)(b % 5)));
    q4[b].d = __float2half(0.5f);
    q4[b].m = __float2half(-(float)(b % 4));
    for (int i = 0; i < GROUP; ++i)
      q8[b].qs[i] = (int8_t)(b * 37 + i * 11);
    for (int i = 0; i < GROUP / 2; ++i)
      q4[b].qs[i] = (uint8_t)(b * 29 + i * 13);
  }
  int errors = run<block_q8>(q8, rows, columns,
                             [](const block_q8& b, int i) { return __half2float(b.d) * b.qs[i]; });
  errors += run<block_q4>(q4, rows, columns, [](const block_q4& b, int i) {
    return __half2float(b.d) * (i % 2 ? b.qs[i / 2] >> 4 : b.qs[i / 2] & 15) + __half2float(b.m);
  });
  printf("%s\n", errors ? "FAIL" : "PASS");
  return errors ? 1 : 0;
}
