// SPDX-License-Identifier: Apache-2.0
// Sums message chains; a continuation entry moves the end of the chain while it is being read.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void readChains(const int* start, const int* words, long long* total, int chains,
                           int words_n) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < chains) {
    int end = start[c + 1];
    long long sum = 0;
    for (int k = start[c]; k < end; ++k) {
      int w = words[k];
      if (w >= 1000) {
        end = min(end + (w - 1000), words_n);
      } else {
        sum += w;
      }
    }
    total[c] = sum;
  }
}

int main(int argc, char** argv) {
  int chains = argc > 1 ? std::atoi(argv[1]) : 200000;
  unsigned s = 212;
  auto rnd = [&s] { return (s = s * 1664525u + 1013904223u) >> 10; };
  std::vector<int> start(chains + 1, 0);
  for (int c = 0; c < chains; ++c) start[c + 1] = start[c] + 4 + rnd() % 40;
  int m = start[chains];
  std::vector<int> words(m);
  for (int& w : words) w = rnd() % 50 == 0 ? 1000 + rnd() % 12 : rnd() % 1000;
  int *dStart, *dWords;
  long long* dTotal;
  cudaMalloc(&dStart, start.size() * sizeof(int));
  cudaMalloc(&dWords, m * sizeof(int));
  cudaMalloc(&dTotal, chains * sizeof(long long));
  cudaMemcpy(dStart, start.data(), start.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dWords, words.data(), m * sizeof(int), cudaMemcpyHostToDevice);
  readChains<<<(chains + 127) / 128, 128>>>(dStart, dWords, dTotal, chains, m);
  std::vector<long long> total(chains);
  cudaMemcpy(total.data(), dTotal, chains * sizeof(long long), cudaMemcpyDeviceToHost);
  long long sum = 0, check = 0;
  for (int c = 0; c < chains; ++c) {
    sum += total[c];
    check += total[c] * (c % 17);
  }
  std::printf("sum %lld check %lld\n", sum, check);
  cudaFree(dStart);
  cudaFree(dWords);
  cudaFree(dTotal);
  return 0;
}
