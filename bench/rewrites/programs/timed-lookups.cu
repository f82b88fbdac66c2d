// SPDX-License-Identifier: Apache-2.0
// Follows pointer chains for the probed entries and records the cycles each chain took.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void chase(const int* next, const char* probed, int* last, long long* cycles, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && probed[i]) {
    long long begin = clock64();
    int at = i;
    for (int hop = 0; hop < 32; ++hop) at = next[at];
    last[i] = at;
    cycles[i] = clock64() - begin;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1000000;
  std::vector<int> next(n), last(n);
  std::vector<char> probed(n);
  unsigned s = 404;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    next[i] = static_cast<int>((s >> 3) % n);
    probed[i] = (s >> 11) % 20 == 0;
  }
  int *dNext, *dLast;
  char* dProbed;
  long long* dCycles;
  cudaMalloc(&dNext, n * sizeof(int));
  cudaMalloc(&dLast, n * sizeof(int));
  cudaMalloc(&dProbed, n);
  cudaMalloc(&dCycles, n * sizeof(long long));
  cudaMemcpy(dNext, next.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dProbed, probed.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(dLast, 0, n * sizeof(int));
  cudaMemset(dCycles, 0, n * sizeof(long long));
  chase<<<(n + 255) / 256, 256>>>(dNext, dProbed, dLast, dCycles, n);
  std::vector<long long> cycles(n);
  cudaMemcpy(last.data(), dLast, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(cycles.data(), dCycles, n * sizeof(long long), cudaMemcpyDeviceToHost);
  long long sum = 0, negative = 0;
  for (int i = 0; i < n; ++i) {
    sum += last[i];
    negative += cycles[i] < 0;
  }
  std::printf("sum of ends %lld, impossible times %lld\n", sum, negative);
  cudaFree(dNext);
  cudaFree(dLast);
  cudaFree(dProbed);
  cudaFree(dCycles);
  return 0;
}
