// SPDX-License-Identifier: Apache-2.0
// The reduction of 2008: two elements a thread, unrolled, the last warp with volatile and without
// barriers. Arguments: n.
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

template <unsigned blockSize> __device__ void warpReduce(volatile int* sdata, unsigned tid) {
  if (blockSize >= 64)
    sdata[tid] += sdata[tid + 32];
  if (blockSize >= 32)
    sdata[tid] += sdata[tid + 16];
  if (blockSize >= 16)
    sdata[tid] += sdata[tid + 8];
  if (blockSize >= 8)
    sdata[tid] += sdata[tid + 4];
  if (blockSize >= 4)
    sdata[tid] += sdata[tid + 2];
  if (blockSize >= 2)
    sdata[tid] += sdata[tid + 1];
}

template <unsigned blockSize> __global__ void reduce(const int* in, int* out, unsigned n) {
  extern __shared__ int sdata[];
  unsigned tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid,
           gridSize = blockSize * 2 * gridDim.x;
  int sum = 0;
  while (i < n) {
    sum += in[i];
    if (i + blockSize < n)
      sum += in[i + blockSize];
    i += gridSize;
  }
  sdata[tid] = sum;
  __syncthreads();
  if (blockSize >= 512) {
    if (tid < 256)
      sdata[tid] += sdata[tid + 256];
    __syncthreads();
  }
  if (blockSize >= 256) {
    if (tid < 128)
      sdata[tid] += sdata[tid + 128];
    __syncthreads();
  }
  if (blockSize >= 128) {
    if (tid < 64)
      sdata[tid] += sdata[tid + 64];
    __syncthreads();
  }
  if (tid < 32)
    warpReduce<blockSize>(sdata, tid);
  if (tid == 0)
    out[blockIdx.x] = sdata[0];
}

int main(int argc, char** argv) {
  unsigned n = argc > 1 ? atoi(argv[1]) : 100000;
  const int blocks = 16;
  std::vector<int> h(n), parts(blocks);
  int want = 0;
  for (unsigned i = 0; i < n; ++i)
    want += h[i] = (int)(i * 31 % 201) - 100;
  int *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_out, blocks * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  for (int threads : {64, 128, 256, 512}) {
    size_t shared = threads * sizeof(int);
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start));
    switch (threads) {
    case 64:
      reduce<64><<<blocks, threads, shared>>>(d_in, d_out, n);
      break;
    case 128:
      reduce<128><<<blocks, threads, shared>>>(d_in, d_out, n);
      break;
    case 256:
      reduce<256><<<blocks, threads, shared>>>(d_in, d_out, n);
      break;
    case 512:
      reduce<512><<<blocks, threads, shared>>>(d_in, d_out, n);
      break;
    }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    CUDA_CHECK(cudaMemcpy(parts.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    int got = 0;
    for (int part : parts)
      got += part;
    printf("%d threads: %.3f ms\n", threads, ms);
    if (got != want) {
      printf("FAIL: the sum is %d, expected %d\n", got, want);
      return 1;
    }
  }
  printf("PASS\n");
  return 0;
}
