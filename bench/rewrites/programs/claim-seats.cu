// SPDX-License-Identifier: Apache-2.0
// Requests try to claim a seat; whoever comes first gets it, the others are counted as refused.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void claim(const int* wanted, int* seat, int* won, int* refused, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && wanted[i] >= 0) {
    int before = atomicCAS(&seat[wanted[i]], 0, 1);
    if (before == 0) {
      atomicAdd(won, 1);
    } else {
      atomicAdd(refused, 1);
    }
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 2000000;
  int seats = n / 8 + 1;
  std::vector<int> wanted(n);
  unsigned s = 50;
  for (int& w : wanted) {
    s = s * 1664525u + 1013904223u;
    w = (s >> 28) < 4 ? static_cast<int>((s >> 4) % seats) : -1;
  }
  int *dWanted, *dSeat, *dCount;
  cudaMalloc(&dWanted, n * sizeof(int));
  cudaMalloc(&dSeat, seats * sizeof(int));
  cudaMalloc(&dCount, 2 * sizeof(int));
  cudaMemcpy(dWanted, wanted.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(dSeat, 0, seats * sizeof(int));
  cudaMemset(dCount, 0, 2 * sizeof(int));
  claim<<<(n + 255) / 256, 256>>>(dWanted, dSeat, dCount, dCount + 1, n);
  int count[2];
  cudaMemcpy(count, dCount, sizeof(count), cudaMemcpyDeviceToHost);
  std::printf("won %d refused %d\n", count[0], count[1]);
  cudaFree(dWanted);
  cudaFree(dSeat);
  cudaFree(dCount);
  return 0;
}
