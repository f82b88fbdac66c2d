// SPDX-License-Identifier: Apache-2.0
// Shuffles a deck per block: one thread draws the random swaps, then all threads deal the cards.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CARDS 52
#define HANDS 64

__global__ void deal(int* handValue, int decks) {
  __shared__ int deck[CARDS];
  int d = blockIdx.x;
  if (threadIdx.x < CARDS) deck[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned s = d * 2654435761u + 99u;
    for (int k = CARDS - 1; k > 0; --k) {
      s = s * 1664525u + 1013904223u;
      int j = (s >> 8) % (k + 1);
      int t = deck[k];
      deck[k] = deck[j];
      deck[j] = t;
    }
  }
  __syncthreads();
  int value = 0;
  for (int c = 0; c < 5; ++c) value += deck[(threadIdx.x * 5 + c) % CARDS] % 13 + 1;
  handValue[d * HANDS + threadIdx.x] = value;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1000000;
  int decks = (n + HANDS - 1) / HANDS;
  int* dValue;
  cudaMalloc(&dValue, size_t(decks) * HANDS * sizeof(int));
  deal<<<decks, HANDS>>>(dValue, decks);
  std::vector<int> value(size_t(decks) * HANDS);
  cudaMemcpy(value.data(), dValue, value.size() * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0, check = 0;
  for (size_t k = 0; k < value.size(); ++k) {
    sum += value[k];
    check = (check * 31 + value[k]) % 1000000007;
  }
  std::printf("sum %lld check %lld\n", sum, check);
  cudaFree(dValue);
  return 0;
}
