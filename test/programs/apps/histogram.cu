// SPDX-License-Identifier: Apache-2.0
// A histogram of bytes, with atomics in global memory and with a copy in shared memory. Arguments:
// n.
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

#define BINS 256

__global__ void histogramGlobal(const unsigned char* data, int n, unsigned* bins) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&bins[data[i]], 1);
}

__global__ void histogramShared(const unsigned char* data, int n, unsigned* bins) {
  __shared__ unsigned local[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&local[data[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    if (local[i])
      atomicAdd(&bins[i], local[i]);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 200000;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> want(BINS, 0), got(2 * BINS);
  unsigned state = 42;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    data[i] =
        (unsigned char)((state >> 24) * (state >> 16 & 0xff) >> 8); // small values are frequent
    ++want[data[i]];
  }
  unsigned char* d_data;
  unsigned* d_bins;
  CUDA_CHECK(cudaMalloc(&d_data, n));
  CUDA_CHECK(cudaMalloc(&d_bins, 2 * BINS * sizeof(unsigned)));
  CUDA_CHECK(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_bins, 0, 2 * BINS * sizeof(unsigned)));
  cudaEvent_t events[3];
  for (cudaEvent_t& event : events)
    CUDA_CHECK(cudaEventCreate(&event));
  CUDA_CHECK(cudaEventRecord(events[0], 0));
  histogramGlobal<<<64, 128>>>(d_data, n, d_bins);
  CUDA_CHECK(cudaEventRecord(events[1], 0));
  histogramShared<<<64, 128>>>(d_data, n, d_bins + BINS);
  CUDA_CHECK(cudaEventRecord(events[2], 0));
  CUDA_CHECK(cudaEventSynchronize(events[2]));
  float global, shared;
  CUDA_CHECK(cudaEventElapsedTime(&global, events[0], events[1]));
  CUDA_CHECK(cudaEventElapsedTime(&shared, events[1], events[2]));
  printf("%d bytes: global %.3f ms, shared %.3f ms\n", n, global, shared);
  CUDA_CHECK(cudaMemcpy(got.data(), d_bins, 2 * BINS * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 2 * BINS; ++i)
    if (got[i] != want[i % BINS]) {
      printf("FAIL: bin %d is %u, expected %u\n", i % BINS, got[i], want[i % BINS]);
      return 1;
    }
  printf("PASS\n");
  return 0;
}
