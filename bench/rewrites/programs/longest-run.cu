// SPDX-License-Identifier: Apache-2.0
// Longest run of equal bases in every read of a sequencing run.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void longestRun(const char* bases, const unsigned* readStart, unsigned* longest,
                           unsigned reads) {
  unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= reads) return;
  unsigned run = 0, best = 0;
  char last = 0;
  for (unsigned k = readStart[r]; k < readStart[r + 1]; ++k) {
    run = bases[k] == last ? run + 1 : 1;
    last = bases[k];
    if (run > best) best = run;
  }
  longest[r] = best;
}

int main(int argc, char** argv) {
  unsigned reads = argc > 1 ? std::atoi(argv[1]) : 150000;
  unsigned s = 2003;
  auto rnd = [&s] { return (s = s * 1664525u + 1013904223u) >> 12; };
  std::vector<unsigned> readStart(reads + 1, 0), longest(reads);
  for (unsigned r = 0; r < reads; ++r) readStart[r + 1] = readStart[r] + 36 + rnd() % 115;
  std::vector<char> bases(readStart[reads]);
  for (char& b : bases) b = "ACGT"[rnd() % 4];
  char* dBases;
  unsigned *dStart, *dLongest;
  cudaMalloc(&dBases, bases.size());
  cudaMalloc(&dStart, readStart.size() * sizeof(unsigned));
  cudaMalloc(&dLongest, reads * sizeof(unsigned));
  cudaMemcpy(dBases, bases.data(), bases.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(dStart, readStart.data(), readStart.size() * sizeof(unsigned),
             cudaMemcpyHostToDevice);
  longestRun<<<(reads + 255) / 256, 256>>>(dBases, dStart, dLongest, reads);
  cudaMemcpy(longest.data(), dLongest, reads * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  unsigned top = 0;
  for (unsigned l : longest) {
    sum += l;
    top = l > top ? l : top;
  }
  std::printf("mean longest run %.5f, top %u\n", double(sum) / reads, top);
  cudaFree(dBases);
  cudaFree(dStart);
  cudaFree(dLongest);
  return 0;
}
