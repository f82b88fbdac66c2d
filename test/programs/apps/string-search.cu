// SPDX-License-Identifier: Apache-2.0
// Finds a pattern in a text: each thread tries one place and gives up at the first difference.
// Arguments: pattern, length of the text.
#include <cstdio>
#include <cstdlib>
#include <string>
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

__constant__ char pattern[64];

__global__ void search(const char* text, int n, int m, int* count, int* first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n - m)
    return;
  for (int k = 0; k < m; ++k)
    if (text[i + k] != pattern[k])
      return;
  atomicAdd(count, 1);
  atomicMin(first, i);
}

int main(int argc, char** argv) {
  std::string needle = argc > 1 ? argv[1] : "abac";
  int n = argc > 2 ? atoi(argv[2]) : 50000, m = (int)needle.size();
  if (m < 1 || m > 64 || n < m) {
    printf("FAIL: a pattern of 1 to 64 characters\n");
    return 1;
  }
  std::string text(n, ' ');
  unsigned state = 3;
  for (char& letter : text)
    letter = "aabbc"[((state = state * 1664525u + 1013904223u) >> 16) % 5];
  char* d_text;
  int *d_results, results[2] = {0, n};
  CUDA_CHECK(cudaMalloc(&d_text, n));
  CUDA_CHECK(cudaMalloc(&d_results, sizeof(results)));
  CUDA_CHECK(cudaMemcpy(d_text, text.data(), n, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_results, results, sizeof(results), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpyToSymbol(pattern, needle.data(), m));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  search<<<(n + 255) / 256, 256>>>(d_text, n, m, d_results, d_results + 1);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_CHECK(cudaMemcpy(results, d_results, sizeof(results), cudaMemcpyDeviceToHost));
  int want = 0;
  size_t first = text.find(needle);
  for (size_t at = first; at != std::string::npos; at = text.find(needle, at + 1))
    ++want;
  printf("\"%s\" occurs %d times, first at %d, %.3f ms\n", needle.c_str(), results[0], results[1],
         ms);
  if (results[0] != want || results[1] != (want ? (int)first : n)) {
    printf("FAIL: expected %d times\n", want);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
