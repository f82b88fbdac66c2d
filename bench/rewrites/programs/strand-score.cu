// SPDX-License-Identifier: Apache-2.0
// Scores a motif at read positions, with the forward or the reverse matrix as the strand says.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int MOTIF = 20;

__constant__ short forwardMatrix[MOTIF * 4];
__constant__ short reverseMatrix[MOTIF * 4];

__global__ void motifScore(const unsigned char* genome, const unsigned* position,
                           const bool* reverse, short* score, unsigned reads) {
  unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= reads) return;
  const unsigned char* at = genome + position[r];
  if (reverse[r]) {
    int s = 0;
    for (int k = 0; k < MOTIF; ++k) s += reverseMatrix[k * 4 + at[k]];
    score[r] = static_cast<short>(s);
  } else {
    int s = 0;
    for (int k = 0; k < MOTIF; ++k) s += forwardMatrix[k * 4 + at[k]];
    score[r] = static_cast<short>(s);
  }
}

int main(int argc, char** argv) {
  unsigned reads = argc > 1 ? std::atoi(argv[1]) : 3000000;
  const unsigned length = 1u << 20;
  std::vector<unsigned char> genome(length + MOTIF);
  std::vector<unsigned> position(reads);
  std::vector<char> reverse(reads);
  unsigned s = 23;
  auto rnd = [&s] { return (s = s * 1664525u + 1013904223u) >> 9; };
  for (unsigned char& g : genome) g = rnd() & 3;
  for (unsigned r = 0; r < reads; ++r) {
    position[r] = rnd() % length;
    reverse[r] = rnd() % 2;
  }
  short fwd[MOTIF * 4], rev[MOTIF * 4];
  for (int k = 0; k < MOTIF * 4; ++k) fwd[k] = static_cast<short>(rnd() % 41) - 20;
  for (int k = 0; k < MOTIF * 4; ++k) rev[k] = fwd[MOTIF * 4 - 1 - k];
  cudaMemcpyToSymbol(forwardMatrix, fwd, sizeof(fwd));
  cudaMemcpyToSymbol(reverseMatrix, rev, sizeof(rev));
  unsigned char* dGenome;
  unsigned* dPosition;
  bool* dReverse;
  short* dScore;
  cudaMalloc(&dGenome, genome.size());
  cudaMalloc(&dPosition, reads * sizeof(unsigned));
  cudaMalloc(&dReverse, reads);
  cudaMalloc(&dScore, reads * sizeof(short));
  cudaMemcpy(dGenome, genome.data(), genome.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(dPosition, position.data(), reads * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpy(dReverse, reverse.data(), reads, cudaMemcpyHostToDevice);
  motifScore<<<(reads + 255) / 256, 256>>>(dGenome, dPosition, dReverse, dScore, reads);
  std::vector<short> score(reads);
  cudaMemcpy(score.data(), dScore, reads * sizeof(short), cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (unsigned r = 0; r < reads; ++r) sum += score[r] * static_cast<long long>(r % 13 + 1);
  std::printf("check %lld\n", sum);
  cudaFree(dGenome);
  cudaFree(dPosition);
  cudaFree(dReverse);
  cudaFree(dScore);
  return 0;
}
