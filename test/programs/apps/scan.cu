// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sum over many blocks; the last block to finish scans the sums of the blocks.
// Arguments: n.
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

#define BLOCK 256

__device__ unsigned int retirementCount = 0;

__device__ int scanBlock(int* temp, int value) { // inclusive
  int tid = threadIdx.x;
  temp[tid] = value;
  __syncthreads();
  for (int offset = 1; offset < BLOCK; offset <<= 1) {
    int t = tid >= offset ? temp[tid - offset] : 0;
    __syncthreads();
    temp[tid] += t;
    __syncthreads();
  }
  return temp[tid];
}

__global__ void scanPartial(const int* in, int* out, int* sums, int n) {
  __shared__ int temp[BLOCK];
  __shared__ bool amLast;
  int gid = blockIdx.x * BLOCK + threadIdx.x;
  int value = gid < n ? in[gid] : 0;
  int inclusive = scanBlock(temp, value);
  if (gid < n)
    out[gid] = inclusive - value;
  if (threadIdx.x == BLOCK - 1)
    sums[blockIdx.x] = inclusive;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    amLast = atomicInc(&retirementCount, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (amLast) {
    int running = 0; // carried from chunk to chunk
    for (int first = 0; first < gridDim.x; first += BLOCK) {
      int at = first + threadIdx.x;
      int sum = at < gridDim.x ? ((volatile int*)sums)[at] : 0;
      int upTo = scanBlock(temp, sum);
      if (at < gridDim.x)
        sums[at] = running + upTo - sum;
      running += temp[BLOCK - 1];
      __syncthreads();
    }
    if (threadIdx.x == 0)
      retirementCount = 0;
  }
}

__global__ void addSums(int* out, const int* sums, int n) {
  int gid = blockIdx.x * BLOCK + threadIdx.x;
  if (gid < n)
    out[gid] += sums[blockIdx.x];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100000;
  int blocks = (n + BLOCK - 1) / BLOCK;
  std::vector<int> h(n), got(n);
  for (int i = 0; i < n; ++i)
    h[i] = i * 31 % 17;
  int *d_in, *d_out, *d_sums;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  scanPartial<<<blocks, BLOCK>>>(d_in, d_out, d_sums, n);
  addSums<<<blocks, BLOCK>>>(d_out, d_sums, n);
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaMemcpy(got.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
  float ms;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%d elements, %d blocks: %.3f ms\n", n, blocks, ms);
  int want = 0;
  for (int i = 0; i < n; ++i) {
    if (got[i] != want) {
      printf("FAIL: element %d is %d, expected %d\n", i, got[i], want);
      return 1;
    }
    want += h[i];
  }
  printf("PASS\n");
  return 0;
}
