// SPDX-License-Identifier: Apache-2.0
// Multiplicative hash of every string of a packed column.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void hashStrings(const char* __restrict__ chars, const int* __restrict__ offsets,
                            uint64_t* __restrict__ hashes, int strings) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < strings) {
    uint64_t h = 1469598103934665603ull;
    for (int c = offsets[s]; c < offsets[s + 1]; ++c) {
      h ^= static_cast<unsigned char>(chars[c]);
      h *= 1099511628211ull;
    }
    hashes[s] = h;
  }
}

int main(int argc, char** argv) {
  int strings = argc > 1 ? std::atoi(argv[1]) : 400000;
  std::mt19937 gen(26);
  std::vector<char> chars;
  std::vector<int> offsets(1, 0);
  for (int s = 0; s < strings; ++s) {
    int len = 3 + gen() % 40;
    for (int c = 0; c < len; ++c) chars.push_back(static_cast<char>('a' + gen() % 26));
    offsets.push_back(static_cast<int>(chars.size()));
  }
  char* dChars;
  int* dOffsets;
  uint64_t* dHashes;
  cudaMalloc(&dChars, chars.size());
  cudaMalloc(&dOffsets, offsets.size() * sizeof(int));
  cudaMalloc(&dHashes, strings * sizeof(uint64_t));
  cudaMemcpy(dChars, chars.data(), chars.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(dOffsets, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice);
  hashStrings<<<(strings + 255) / 256, 256>>>(dChars, dOffsets, dHashes, strings);
  std::vector<uint64_t> hashes(strings);
  cudaMemcpy(hashes.data(), dHashes, strings * sizeof(uint64_t), cudaMemcpyDeviceToHost);
  uint64_t mix = 0;
  for (uint64_t h : hashes) mix = mix * 3 + h;
  std::printf("check %016llx\n", static_cast<unsigned long long>(mix));
  cudaFree(dChars);
  cudaFree(dOffsets);
  cudaFree(dHashes);
  return 0;
}
