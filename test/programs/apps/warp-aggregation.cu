// SPDX-License-Identifier: Apache-2.0
// Compacts the positive numbers of an array with one atomic per warp: ballot, leader, shuffle.
// Arguments: n.
#include <algorithm>
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

__device__ int atomicAggInc(int* counter) {
  unsigned mask = __activemask();
  int lane = threadIdx.x & 31, leader = __ffs(mask) - 1;
  int res;
  if (lane == leader)
    res = atomicAdd(counter, __popc(mask));
  res = __shfl_sync(mask, res, leader);
  return res + __popc(mask & ((1u << lane) - 1));
}

__global__ void compact(const int* in, int* out, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (in[i] > 0)
    out[atomicAggInc(count)] = in[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100000;
  std::vector<int> h(n), want;
  for (int i = 0; i < n; ++i) {
    h[i] = i * 7919 % 1999 - 1000;
    if (h[i] > 0)
      want.push_back(h[i]);
  }
  int *d_in, *d_out, *d_count, count = 0;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_count, sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_count, 0, sizeof(int)));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  compact<<<(n + 255) / 256, 256>>>(d_in, d_out, d_count, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_CHECK(cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d of %d kept: %.3f ms\n", count, n, ms);
  if (count != (int)want.size()) {
    printf("FAIL: expected %zu\n", want.size());
    return 1;
  }
  std::vector<int> got(count);
  CUDA_CHECK(cudaMemcpy(got.data(), d_out, count * sizeof(int), cudaMemcpyDeviceToHost));
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  if (got != want) {
    printf("FAIL: other numbers were kept\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
