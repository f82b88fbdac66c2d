// SPDX-License-Identifier: Apache-2.0
// Bitonic sort of chunks, then merge passes. For int and float keys.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>
#include <cuda_runtime.h>
#include "sort_kernels.cuh"

#define CUDA(x)                                                   \
  do {                                                            \
    if ((x) != cudaSuccess) {                                     \
      fprintf(stderr, "cuda error at line %d\n", __LINE__);        \
      exit(1);                                                    \
    }                                                             \
  } while (0)

template <typename Key>
bool test(const char* name, std::vector<Key> keys)
{
  const int n = (int)keys.size();
  Key *a, *b;
  CUDA(cudaMalloc(&a, n * sizeof(Key)));
  CUDA(cudaMalloc(&b, n * sizeof(Key)));
  CUDA(cudaMemcpy(a, keys.data(), n * sizeof(Key), cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  bitonic_chunks<Key><<<n / CHUNK, CHUNK>>>(a);
  for (int width = CHUNK; width < n; width *= 2) {
    const int piece = 16, threads = (n + piece - 1) / piece;
    merge_pass<Key><<<(threads + 63) / 64, 64>>>(a, b, n, width, piece);
    std::swap(a, b);
  }
  cudaEventRecord(stop);
  CUDA(cudaEventSynchronize(stop));
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);

  std::vector<Key> sorted(n);
  CUDA(cudaMemcpy(sorted.data(), a, n * sizeof(Key), cudaMemcpyDeviceToHost));
  std::sort(keys.begin(), keys.end());
  bool ok = sorted == keys;
  printf("%-6s %d keys: %s\n", name, n, ok ? "sorted" : "NOT SORTED");
  printf("%-6s time %.3f ms, %.2f Mkeys/s\n", "", ms, n / ms * 1e-3);
  cudaFree(a);
  cudaFree(b);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return ok;
}

int main()
{
  std::mt19937 rng(8);
  std::vector<int> ints(CHUNK * 37);
  std::vector<float> floats(CHUNK * 32);
  for (auto& v : ints)
    v = (int)(rng() % 100000) - 50000;
  for (size_t i = 0; i < floats.size(); i++)
    floats[i] = (float)(i % 3 == 0 ? i : rng() % 10000) * 0.25f;
  bool ok = test("int", ints);
  ok = test("float", floats) && ok;
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
