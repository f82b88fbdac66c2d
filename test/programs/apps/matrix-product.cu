// SPDX-License-Identifier: Apache-2.0
// Tiled matrix product in shared memory, for sizes that are no multiple of the tile. Arguments: m n
// k.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));               \
      printf("FAIL\n");                                                                            \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

#define TILE 16

__global__ void matMul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < (k + TILE - 1) / TILE; ++t) {
    int a = t * TILE + threadIdx.x, b = t * TILE + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = row < m && a < k ? A[row * k + a] : 0.0f;
    Bs[threadIdx.y][threadIdx.x] = b < k && col < n ? B[b * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i)
      sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n)
    C[row * n + col] = sum;
}

int main(int argc, char** argv) {
  int m = argc > 1 ? atoi(argv[1]) : 100, n = argc > 2 ? atoi(argv[2]) : 77,
      k = argc > 3 ? atoi(argv[3]) : 130;
  std::vector<float> A(m * k), B(k * n), C(m * n);
  for (int i = 0; i < m * k; ++i)
    A[i] = (float)(i % 13) - 6.0f;
  for (int i = 0; i < k * n; ++i)
    B[i] = (float)(i % 7) * 0.5f;
  float *dA, *dB, *dC;
  CUDA_CHECK(cudaMalloc(&dA, A.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&dB, B.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&dC, C.size() * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(dA, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(dB, B.data(), B.size() * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  CUDA_CHECK(cudaEventRecord(start));
  matMul<<<grid, block>>>(dA, dB, dC, m, n, k);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_CHECK(cudaMemcpy(C.data(), dC, C.size() * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%d x %d x %d: %.3f ms\n", m, n, k, ms);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float want = 0; // halves of small integers: exact in any order
      for (int l = 0; l < k; ++l)
        want += A[i * k + l] * B[l * n + j];
      if (C[i * n + j] != want) {
        printf("FAIL: (%d, %d) is %f, expected %f\n", i, j, C[i * n + j], want);
        return 1;
      }
    }
  CUDA_CHECK(cudaFree(dA));
  CUDA_CHECK(cudaFree(dB));
  CUDA_CHECK(cudaFree(dC));
  printf("PASS\n");
  return 0;
}
