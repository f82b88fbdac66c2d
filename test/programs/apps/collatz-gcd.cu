// SPDX-License-Identifier: Apache-2.0
// Two loops whose length depends on the data: the longest Collatz chain, and coprime pairs by
// Euclid. Arguments: n.
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

__host__ __device__ int collatz(unsigned long long n) {
  int steps = 0;
  while (n != 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++steps;
  }
  return steps;
}

__host__ __device__ unsigned gcd(unsigned a, unsigned b) {
  while (b != 0) {
    unsigned t = a % b;
    a = b;
    b = t;
  }
  return a;
}

__global__ void longest(unsigned long long* best, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i <= n)
    atomicMax(best,
              (unsigned long long)collatz(i) << 32 | (unsigned)(n - i)); // the first of equals
}

__global__ void coprime(unsigned* count, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x <= n && y <= n && gcd(x, y) == 1)
    atomicAdd(count, 1u);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 5000, m = 100;
  unsigned long long *d_best, best = 0;
  unsigned *d_count, count = 0;
  CUDA_CHECK(cudaMalloc(&d_best, sizeof(best)));
  CUDA_CHECK(cudaMalloc(&d_count, sizeof(count)));
  CUDA_CHECK(cudaMemset(d_best, 0, sizeof(best)));
  CUDA_CHECK(cudaMemset(d_count, 0, sizeof(count)));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  longest<<<(n + 255) / 256, 256>>>(d_best, n);
  coprime<<<dim3((m + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(d_count, m);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_CHECK(cudaMemcpy(&best, d_best, sizeof(best), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&count, d_count, sizeof(count), cudaMemcpyDeviceToHost));
  int longestStart = n - (int)(unsigned)best, steps = (int)(best >> 32), wantSteps = -1,
      wantStart = 0;
  unsigned wantCount = 0;
  for (int i = 1; i <= n; ++i)
    if (collatz(i) > wantSteps) {
      wantSteps = collatz(i);
      wantStart = i;
    }
  for (int x = 1; x <= m; ++x)
    for (int y = 1; y <= m; ++y)
      wantCount += gcd(x, y) == 1;
  printf("up to %d: %d takes %d steps; %u coprime pairs up to %d; %.3f ms\n", n, longestStart,
         steps, count, m, ms);
  if (steps != wantSteps || longestStart != wantStart || count != wantCount) {
    printf("FAIL: expected %d with %d steps, %u pairs\n", wantStart, wantSteps, wantCount);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
