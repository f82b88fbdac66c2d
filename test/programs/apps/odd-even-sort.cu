// SPDX-License-Identifier: Apache-2.0
// Sorts blocks by odd-even transposition, then places every element by binary search in the other
// block. Arguments: n.
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

#define CHUNK 128

__global__ void sortChunks(int* data, int n) {
  __shared__ int s[CHUNK];
  int tid = threadIdx.x, gid = blockIdx.x * CHUNK + tid;
  s[tid] = gid < n ? data[gid] : 0x7fffffff;
  for (int phase = 0; phase < CHUNK; ++phase) {
    __syncthreads();
    int left = 2 * tid + (phase & 1);
    if (left + 1 < CHUNK && s[left] > s[left + 1]) {
      int t = s[left];
      s[left] = s[left + 1];
      s[left + 1] = t;
    }
  }
  __syncthreads();
  if (gid < n)
    data[gid] = s[tid];
}

// How many of data[0 ... n) come before key; equal ones count if orEqual.
__device__ int rank(const int* data, int n, int key, bool orEqual) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (data[middle] < key || (orEqual && data[middle] == key))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__global__ void mergeRuns(const int* in, int* out, int n, int run) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (gid >= n)
    return;
  int first = gid / (2 * run) * (2 * run);
  int middle = min(first + run, n), last = min(first + 2 * run, n);
  int key = in[gid];
  if (gid < middle)
    out[gid + rank(in + middle, last - middle, key, false)] = key;
  else
    out[gid - (middle - first) + rank(in + first, middle - first, key, true)] = key;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10000;
  std::vector<int> h(n), got(n);
  unsigned state = 99;
  for (int& value : h)
    value = (int)((state = state * 1664525u + 1013904223u) >> 18);
  int *d_a, *d_b;
  CUDA_CHECK(cudaMalloc(&d_a, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_b, n * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_a, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  int blocks = (n + CHUNK - 1) / CHUNK;
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  sortChunks<<<blocks, CHUNK>>>(d_a, n);
  for (int run = CHUNK; run < n; run *= 2) {
    mergeRuns<<<blocks, CHUNK>>>(d_a, d_b, n, run);
    std::swap(d_a, d_b);
  }
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaMemcpy(got.data(), d_a, n * sizeof(int), cudaMemcpyDeviceToHost));
  float ms;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%d elements: %.3f ms\n", n, ms);
  std::sort(h.begin(), h.end());
  if (got != h) {
    printf("FAIL: not sorted\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
