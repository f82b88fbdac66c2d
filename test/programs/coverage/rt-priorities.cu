// SPDX-License-Identifier: Apache-2.0
// COVERS: stream priorities, streams, cudaStreamGetFlags
// Streams of the least and the greatest priority that both do their work.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define CHECK(x)                                                                                   \
  if ((x) != cudaSuccess) {                                                                        \
    printf("%s failed\nFAIL\n", #x);                                                               \
    return EXIT_FAILURE;                                                                           \
  }

__global__ void collatz(int* steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int s = 0;
  for (long long v = i + 1; v != 1; v = v % 2 ? 3 * v + 1 : v / 2)
    ++s;
  steps[i] = s;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 500, least = 1, greatest = 1;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t low, high;
  CHECK(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, least));
  CHECK(cudaStreamCreateWithPriority(&high, cudaStreamDefault, greatest));
  int p1 = 99, p2 = 99, *a, *b;
  unsigned flags = 99;
  CHECK(cudaStreamGetPriority(low, &p1));
  CHECK(cudaStreamGetPriority(high, &p2));
  CHECK(cudaStreamGetFlags(low, &flags));
  CHECK(cudaMallocManaged(&a, n * sizeof(int)));
  CHECK(cudaMallocManaged(&b, n * sizeof(int)));
  collatz<<<(n + 63) / 64, 64, 0, low>>>(a, n);
  collatz<<<(n + 63) / 64, 64, 0, high>>>(b, n);
  CHECK(cudaStreamSynchronize(high));
  CHECK(cudaStreamSynchronize(low));
  bool ok = least >= greatest && p1 == least && p2 == greatest && flags == cudaStreamNonBlocking;
  for (int i = 0; i < n; ++i) {
    int s = 0;
    for (long long v = i + 1; v != 1; v = v % 2 ? 3 * v + 1 : v / 2)
      ++s;
    ok = ok && a[i] == s && b[i] == s;
  }
  CHECK(cudaStreamDestroy(low));
  CHECK(cudaStreamDestroy(high));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  puts(ok ? "PASS" : "FAIL");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
