// SPDX-License-Identifier: Apache-2.0
// Counts the vowels of every string of a packed string column.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

__device__ bool isVowel(char c) {
  return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

const int LANES = 16;

__global__ void countVowels(const char* chars, const int* offsets, int* counts, int strings) {
  int lane = threadIdx.x % LANES;
  int teams = gridDim.x * blockDim.x / LANES;
  int rounds = (strings + teams - 1) / teams;
  int s = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
  for (int round = 0; round < rounds; ++round, s += teams) {
    int end = s < strings ? offsets[s + 1] : 0;
    int count = 0;
    for (int c = s < strings ? offsets[s] + lane : 0; c < end; c += LANES) {
      if (isVowel(chars[c])) count++;
    }
    for (int d = LANES / 2; d > 0; d /= 2) count += __shfl_down_sync(~0u, count, d, LANES);
    if (s < strings && lane == 0) counts[s] = count;
  }
}

int main(int argc, char** argv) {
  int strings = argc > 1 ? std::atoi(argv[1]) : 500000;
  std::mt19937 gen(5150);
  std::string chars;
  std::vector<int> offsets(1, 0);
  for (int s = 0; s < strings; ++s) {
    int len = 4 + gen() % 120;
    for (int c = 0; c < len; ++c) chars.push_back(static_cast<char>('a' + gen() % 26));
    offsets.push_back(static_cast<int>(chars.size()));
  }
  char* dChars;
  int *dOffsets, *dCounts;
  cudaMalloc(&dChars, chars.size());
  cudaMalloc(&dOffsets, offsets.size() * sizeof(int));
  cudaMalloc(&dCounts, strings * sizeof(int));
  cudaMemcpy(dChars, chars.data(), chars.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(dOffsets, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice);

  countVowels<<<2048, 256>>>(dChars, dOffsets, dCounts, strings);

  std::vector<int> counts(strings);
  cudaMemcpy(counts.data(), dCounts, strings * sizeof(int), cudaMemcpyDeviceToHost);
  long long total = 0, mixed = 0;
  for (int s = 0; s < strings; ++s) {
    total += counts[s];
    mixed = (mixed * 33 + counts[s]) % 1000000007;
  }
  std::printf("vowels %lld of %zu, check %lld\n", total, chars.size(), mixed);
  cudaFree(dChars);
  cudaFree(dOffsets);
  cudaFree(dCounts);
  return 0;
}
