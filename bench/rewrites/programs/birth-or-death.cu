// SPDX-License-Identifier: Apache-2.0
// Population model: both kinds of event begin with the same draw of a waiting time.
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ unsigned long long scramble(unsigned long long z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

__device__ unsigned draw(unsigned long long key, int rounds) {
  for (int r = 0; r < rounds; ++r) key = scramble(key + 0x9e3779b97f4a7c15ull);
  return static_cast<unsigned>(key >> 40);
}

__global__ void events(const unsigned char* kind, const int* size, int* newSize,
                       unsigned* waited, int colonies) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < colonies) {
    if (kind[c] == 'b') {
      unsigned w = draw(c, 40);
      waited[c] = w;
      newSize[c] = size[c] + 1 + w % (size[c] + 1u);
    } else {
      unsigned w = draw(c, 40);
      waited[c] = w;
      newSize[c] = max(0, size[c] - 1 - static_cast<int>(w % 5));
    }
  }
}

int main(int argc, char** argv) {
  int colonies = argc > 1 ? std::atoi(argv[1]) : 2000000;
  std::vector<unsigned char> kind(colonies);
  std::vector<int> size(colonies);
  unsigned s = 41;
  for (int c = 0; c < colonies; ++c) {
    s = s * 1664525u + 1013904223u;
    kind[c] = (s >> 16) % 3 == 0 ? 'b' : 'd';
    size[c] = (s >> 20) % 100;
  }
  unsigned char* dKind;
  int *dSize, *dNew;
  unsigned* dWaited;
  cudaMalloc(&dKind, colonies);
  cudaMalloc(&dSize, colonies * sizeof(int));
  cudaMalloc(&dNew, colonies * sizeof(int));
  cudaMalloc(&dWaited, colonies * sizeof(unsigned));
  cudaMemcpy(dKind, kind.data(), colonies, cudaMemcpyHostToDevice);
  cudaMemcpy(dSize, size.data(), colonies * sizeof(int), cudaMemcpyHostToDevice);
  events<<<(colonies + 255) / 256, 256>>>(dKind, dSize, dNew, dWaited, colonies);
  std::vector<unsigned> waited(colonies);
  cudaMemcpy(size.data(), dNew, colonies * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(waited.data(), dWaited, colonies * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long people = 0, time = 0;
  for (int c = 0; c < colonies; ++c) {
    people += size[c];
    time += waited[c];
  }
  std::printf("population %llu, waited %llu\n", people, time);
  cudaFree(dKind);
  cudaFree(dSize);
  cudaFree(dNew);
  cudaFree(dWaited);
  return 0;
}
