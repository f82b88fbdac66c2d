// SPDX-License-Identifier: Apache-2.0
// COVERS: half, half: gemm, static shared, events
// A tiled matrix product: half in, float sums, half out. Arguments: m n k.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_fp16.h>

#define TILE 16
#define CHECK(stmt)                                                                                \
  do {                                                                                             \
    cudaError_t err = stmt;                                                                        \
    if (err != cudaSuccess) {                                                                      \
      fprintf(stderr, "Failed to run stmt %s (%s)\n", #stmt, cudaGetErrorString(err));             \
      printf("FAIL\n");                                                                            \
      return -1;                                                                                   \
    }                                                                                              \
  } while (0)

__global__ void hgemm(const half* __restrict__ A, const half* __restrict__ B, half* __restrict__ C,
                      int m, int n, int k, float alpha) {
  __shared__ half As[TILE][TILE + 2], Bs[TILE][TILE + 2];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < (k + TILE - 1) / TILE; ++t) {
    int ac = t * TILE + threadIdx.x, br = t * TILE + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = row < m && ac < k ? A[row * k + ac] : __float2half(0.f);
    Bs[threadIdx.y][threadIdx.x] = br < k && col < n ? B[br * n + col] : __float2half(0.f);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i)
      acc += __half2float(As[threadIdx.y][i]) * __half2float(Bs[i][threadIdx.x]);
    __syncthreads();
  }
  if (row < m && col < n)
    C[row * n + col] = __float2half(alpha * acc);
}

// Two columns at a time in half2, sums in half2 as well: for small k and exact values.
__global__ void hgemm2(const half* A, const half2* B, half2* C, int m, int n2, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n2)
    return;
  half2 acc = __float2half2_rn(0.f);
  for (int i = 0; i < k; ++i)
    acc = __hfma2(__half2half2(A[row * k + i]), B[i * n2 + col], acc);
  C[row * n2 + col] = acc;
}

int main(int argc, char** argv) {
  int m = argc > 1 ? atoi(argv[1]) : 50, n = argc > 2 ? atoi(argv[2]) : 70,
      k = argc > 3 ? atoi(argv[3]) : 45;
  n += n % 2;
  std::vector<half> a(m * k), b(k * n), c(m * n), c2(m * n);
  for (int i = 0; i < m * k; ++i)
    a[i] = __float2half((float)(i % 5 - 2));
  for (int i = 0; i < k * n; ++i)
    b[i] = __float2half((float)(i % 7 - 3) * 0.5f);
  half *da, *db, *dc, *dc2;
  CHECK(cudaMalloc(&da, a.size() * sizeof(half)));
  CHECK(cudaMalloc(&db, b.size() * sizeof(half)));
  CHECK(cudaMalloc(&dc, c.size() * sizeof(half)));
  CHECK(cudaMalloc(&dc2, c.size() * sizeof(half)));
  CHECK(cudaMemcpy(da, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  hgemm<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), dim3(TILE, TILE)>>>(da, db, dc, m, n,
                                                                                  k, 0.5f);
  hgemm2<<<dim3((n / 2 + 15) / 16, (m + 7) / 8), dim3(16, 8)>>>(da, (half2*)db, (half2*)dc2, m,
                                                                n / 2, k);
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  CHECK(cudaMemcpy(c.data(), dc, c.size() * sizeof(half), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(c2.data(), dc2, c.size() * sizeof(half), cudaMemcpyDeviceToHost));
  printf("%d x %d x %d, time positive: %s\n", m, n, k, ms > 0 ? "yes" : "no");
  int errors = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int p = 0; p < k; ++p)
        sum += (float)((i * k + p) % 5 - 2) * (float)((p * n + j) % 7 - 3) * 0.5f;
      if (__half2float(c[i * n + j]) != 0.5f * sum || __half2float(c2[i * n + j]) != sum)
        if (errors++ < 5)
          printf("C(%d, %d) = %g and %g, expected %g and %g\n", i, j, __half2float(c[i * n + j]),
                 __half2float(c2[i * n + j]), 0.5f * sum, sum);
    }
  cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(dc2);
  printf("%s\n", errors ? "FAIL" : "PASS");
  return errors ? 1 : 0;
}
