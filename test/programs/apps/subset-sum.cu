// SPDX-License-Identifier: Apache-2.0
// Counts the subsets with a given sum; each thread searches its own subtree with an explicit stack.
// Arguments: items target.
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

#define MAX_ITEMS 32

__constant__ int weights[MAX_ITEMS];

struct Frame {
  int index, remaining;
};

__global__ void countSubsets(int items, int prefixBits, int target, unsigned long long* total) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid >= 1 << prefixBits)
    return;
  int remaining = target;
  for (int b = 0; b < prefixBits; ++b)
    if (tid >> b & 1)
      remaining -= weights[b];
  if (remaining < 0)
    return;
  Frame stack[MAX_ITEMS + 1];
  int top = 0;
  unsigned found = 0;
  stack[top++] = Frame{prefixBits, remaining};
  while (top > 0) {
    Frame frame = stack[--top];
    if (frame.remaining == 0) {
      ++found; // all weights are positive: nothing more fits
      continue;
    }
    if (frame.index == items)
      continue;
    stack[top++] = Frame{frame.index + 1, frame.remaining};
    if (frame.remaining >= weights[frame.index])
      stack[top++] = Frame{frame.index + 1, frame.remaining - weights[frame.index]};
  }
  if (found)
    atomicAdd(total, (unsigned long long)found);
}

int main(int argc, char** argv) {
  int items = argc > 1 ? atoi(argv[1]) : 18, target = argc > 2 ? atoi(argv[2]) : 150;
  if (items < 8 || items > MAX_ITEMS) {
    printf("FAIL: 8 to %d items\n", MAX_ITEMS);
    return 1;
  }
  int h[MAX_ITEMS];
  for (int i = 0; i < items; ++i)
    h[i] = 3 + i * 7 % 23;
  unsigned long long *d_total, got = 0;
  CUDA_CHECK(cudaMemcpyToSymbol(weights, h, items * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_total, sizeof(got)));
  CUDA_CHECK(cudaMemset(d_total, 0, sizeof(got)));
  const int prefixBits = 8;
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  countSubsets<<<2, 128>>>(items, prefixBits, target, d_total);
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaMemcpy(&got, d_total, sizeof(got), cudaMemcpyDeviceToHost));
  float ms;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  std::vector<unsigned long long> ways(target + 1, 0); // by dynamic programming
  ways[0] = 1;
  for (int i = 0; i < items; ++i)
    for (int s = target; s >= h[i]; --s)
      ways[s] += ways[s - h[i]];
  printf("%d items, target %d: %llu subsets, %.3f ms\n", items, target, got, ms);
  if (got != ways[target]) {
    printf("FAIL: expected %llu\n", ways[target]);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
