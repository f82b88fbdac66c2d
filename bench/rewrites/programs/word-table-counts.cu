// SPDX-License-Identifier: Apache-2.0
// Word frequencies over a large vocabulary, drawn almost evenly.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define VOCABULARY (1 << 18)

__global__ void countWords(const unsigned* words, unsigned* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[words[i] & (VOCABULARY - 1)], 1u);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  std::vector<unsigned> words(n), counts(VOCABULARY);
  unsigned s = 4;
  for (unsigned& w : words) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    w = s % 200003;
  }
  unsigned *dWords, *dCounts;
  cudaMalloc(&dWords, n * sizeof(unsigned));
  cudaMalloc(&dCounts, VOCABULARY * sizeof(unsigned));
  cudaMemcpy(dWords, words.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemset(dCounts, 0, VOCABULARY * sizeof(unsigned));
  countWords<<<(n + 255) / 256, 256>>>(dWords, dCounts, n);
  cudaMemcpy(counts.data(), dCounts, VOCABULARY * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long check = 0;
  unsigned most = 0;
  for (unsigned c : counts) {
    check = check * 31 + c;
    most = c > most ? c : most;
  }
  std::printf("most frequent %u, check %016llx\n", most, check);
  cudaFree(dWords);
  cudaFree(dCounts);
  return 0;
}
