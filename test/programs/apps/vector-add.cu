// SPDX-License-Identifier: Apache-2.0
// Adds two vectors whose length is no multiple of the block. Arguments: n, threads per block.
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

__global__ void vectorAdd(const float* a, const float* b, float* c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 50000;
  int threads = argc > 2 ? atoi(argv[2]) : 256;
  size_t size = n * sizeof(float);
  float* h_a = (float*)malloc(size);
  float* h_b = (float*)malloc(size);
  float* h_c = (float*)malloc(size);
  srand(1);
  for (int i = 0; i < n; ++i) {
    h_a[i] = rand() / (float)RAND_MAX;
    h_b[i] = rand() / (float)RAND_MAX;
  }
  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc((void**)&d_a, size));
  CUDA_CHECK(cudaMalloc((void**)&d_b, size));
  CUDA_CHECK(cudaMalloc((void**)&d_c, size));
  CUDA_CHECK(cudaMemcpy(d_a, h_a, size, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, h_b, size, cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  int blocks = (n + threads - 1) / threads;
  CUDA_CHECK(cudaEventRecord(start));
  vectorAdd<<<blocks, threads>>>(d_a, d_b, d_c, n);
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(h_c, d_c, size, cudaMemcpyDeviceToHost));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%d blocks of %d threads: %.3f ms\n", blocks, threads, ms);
  for (int i = 0; i < n; ++i)
    if (h_c[i] != h_a[i] + h_b[i]) {
      printf("FAIL: element %d is %f\n", i, h_c[i]);
      return 1;
    }
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  free(h_a);
  free(h_b);
  free(h_c);
  printf("PASS\n");
  return 0;
}
