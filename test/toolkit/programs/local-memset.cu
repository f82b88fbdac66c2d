// SPDX-License-Identifier: Apache-2.0
// A large array of each thread is cleared: nvcc writes a loop of single bytes, which ptxas unrolls
// in part.
#include <cstdio>
#include <cstring>

__global__ void countSeen(const unsigned short* places, int n, int* sums) {
  unsigned char state[32768];
  memset(state, 0, sizeof state);
  int sum = 0;
  for (int i = 0; i < n; i++) {
    const int place = places[i] & 32767;
    sum += state[place];
    state[place] = (unsigned char)(i + threadIdx.x);
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  constexpr int n = 64;
  unsigned short* places = nullptr;
  int* sums = nullptr;
  cudaMalloc(&places, n * sizeof(unsigned short));
  cudaMalloc(&sums, 8 * 32 * sizeof(int));
  cudaMemset(places, 1, n * sizeof(unsigned short));
  countSeen<<<8, 32>>>(places, n, sums);
  int first = 0;
  cudaMemcpy(&first, sums, sizeof first, cudaMemcpyDeviceToHost);
  printf("%d\n", first);
}
