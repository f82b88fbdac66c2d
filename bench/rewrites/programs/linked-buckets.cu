// SPDX-License-Identifier: Apache-2.0
// Threads particles into linked lists per cell; the exchange returns the particle to link to.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CELLS 4096

__global__ void link(const int* cell, int* head, int* next, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    next[i] = atomicExch(&head[cell[i]], i);
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 2000000;
  std::vector<int> cell(n), head(CELLS), next(n);
  unsigned s = 1991;
  for (int& c : cell) {
    s = s * 1664525u + 1013904223u;
    c = (s >> 14) % CELLS;
  }
  int *dCell, *dHead, *dNext;
  cudaMalloc(&dCell, n * sizeof(int));
  cudaMalloc(&dHead, CELLS * sizeof(int));
  cudaMalloc(&dNext, n * sizeof(int));
  cudaMemcpy(dCell, cell.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(dHead, 0xff, CELLS * sizeof(int));
  link<<<(n + 255) / 256, 256>>>(dCell, dHead, dNext, n);
  cudaMemcpy(head.data(), dHead, CELLS * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(next.data(), dNext, n * sizeof(int), cudaMemcpyDeviceToHost);
  long long members = 0, sum = 0, strays = 0;
  for (int c = 0; c < CELLS; ++c) {
    for (int i = head[c]; i >= 0; i = next[i]) {
      ++members;
      sum += 1LL * i * (c % 7);
      strays += cell[i] != c;
    }
  }
  std::printf("members %lld sum %lld strays %lld\n", members, sum, strays);
  cudaFree(dCell);
  cudaFree(dHead);
  cudaFree(dNext);
  return 0;
}
