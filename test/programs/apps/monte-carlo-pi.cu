// SPDX-License-Identifier: Apache-2.0
// Estimates pi by throwing darts with a generator of its own in each thread. Arguments: darts per
// thread.
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

#define BLOCKS 32
#define THREADS 128

__host__ __device__ unsigned next(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

__host__ __device__ unsigned throwDarts(int id, int darts) {
  unsigned state = 123456789u + 362436069u * id, hits = 0;
  for (int i = 0; i < darts; ++i) {
    unsigned long long x = next(state) >> 8, y = next(state) >> 8;
    if (x * x + y * y < 1ull << 48) // in whole numbers, so that the host agrees
      ++hits;
  }
  return hits;
}

__global__ void pi(unsigned long long* total, int darts) {
  __shared__ unsigned sums[THREADS];
  sums[threadIdx.x] = throwDarts(blockIdx.x * blockDim.x + threadIdx.x, darts);
  for (int s = THREADS / 2; s > 0; s /= 2) {
    __syncthreads();
    if (threadIdx.x < s)
      sums[threadIdx.x] += sums[threadIdx.x + s];
  }
  if (threadIdx.x == 0)
    atomicAdd(total, (unsigned long long)sums[0]);
}

int main(int argc, char** argv) {
  int darts = argc > 1 ? atoi(argv[1]) : 200;
  unsigned long long *d_total, total = 0, want = 0;
  CUDA_CHECK(cudaMalloc(&d_total, sizeof(total)));
  CUDA_CHECK(cudaMemset(d_total, 0, sizeof(total)));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  pi<<<BLOCKS, THREADS>>>(d_total, darts);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_CHECK(cudaMemcpy(&total, d_total, sizeof(total), cudaMemcpyDeviceToHost));
  for (int id = 0; id < BLOCKS * THREADS; ++id)
    want += throwDarts(id, darts);
  double estimate = 4.0 * total / ((double)BLOCKS * THREADS * darts);
  printf("pi is about %.5f, %.3f ms\n", estimate, ms);
  if (total != want || (darts >= 100 && (estimate < 3.12 || estimate > 3.16))) {
    printf("FAIL: %llu hits, expected %llu\n", total, want);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
