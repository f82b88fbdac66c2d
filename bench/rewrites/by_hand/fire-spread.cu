// SPDX-License-Identifier: Apache-2.0
// One step of a forest fire model: cells next to the burning front integrate the heat they get.
#include <cstdio>
#include <cstdlib>
#include <vector>

enum : unsigned char { BARE = 0, TREE = 1, BURNING = 2 };

__device__ unsigned hash(unsigned a, unsigned b) {
  unsigned h = a * 0x85ebca6bu ^ b * 0xc2b2ae35u;
  h ^= h >> 13;
  h *= 0x27d4eb2fu;
  return h ^ (h >> 15);
}

const int THREADS = 256;
const int TILES = 8;

// Appends the items of the warp's lanes that are wanted to the block's list.
__device__ void pack(bool wanted, int item, int* list, int* count) {
  unsigned votes = __ballot_sync(0xffffffffu, wanted);
  int lane = threadIdx.x & 31;
  int slot = 0;
  if (lane == 0 && votes != 0) slot = atomicAdd(count, __popc(votes));
  slot = __shfl_sync(0xffffffffu, slot, 0);
  if (wanted) list[slot + __popc(votes & ((1u << lane) - 1u))] = item;
}

__global__ void spread(const unsigned char* before, unsigned char* after, int width, int height,
                       unsigned seed) {
  __shared__ int list[THREADS * TILES];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int tile = 0; tile < TILES; ++tile) {
    int i = (blockIdx.x * TILES + tile) * THREADS + threadIdx.x;
    int fires = 0;
    if (i < width * height) {
      int x = i % width, y = i / width;
      unsigned char now = before[i];
      if (now == TREE) {
        if (x > 0) fires += before[i - 1] == BURNING;
        if (x < width - 1) fires += before[i + 1] == BURNING;
        if (y > 0) fires += before[i - width] == BURNING;
        if (y < height - 1) fires += before[i + width] == BURNING;
      }
      if (fires == 0) after[i] = now == BURNING ? BARE : now;
    }
    pack(fires > 0, i * 8 + fires, list, &count);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < count; slot += THREADS) {
    unsigned cell = list[slot] / 8, fires = list[slot] % 8;
    unsigned heat = 0;
    for (unsigned gust = 0; gust < 48; ++gust) {
      unsigned h = hash(cell ^ seed, gust);
      if ((h & 255) < 40u * fires) heat += (h >> 8) & 15;
    }
    after[cell] = heat > 90 ? BURNING : TREE;
  }
}

int main(int argc, char** argv) {
  int cells = argc > 1 ? std::atoi(argv[1]) : 4 * 1000 * 1000;
  int width = 2048, height = (cells + width - 1) / width;
  size_t n = size_t(width) * height;
  std::vector<unsigned char> forest(n);
  unsigned s = 4711;
  for (unsigned char& c : forest) {
    s = s * 1664525u + 1013904223u;
    unsigned r = (s >> 10) % 1000;
    c = r < 12 ? BURNING : (r < 750 ? TREE : BARE);
  }
  unsigned char *dA, *dB;
  cudaMalloc(&dA, n);
  cudaMalloc(&dB, n);
  cudaMemcpy(dA, forest.data(), n, cudaMemcpyHostToDevice);
  int blocks = static_cast<int>((n + THREADS * TILES - 1) / (THREADS * TILES));
  for (int step = 0; step < 2; ++step) {
    spread<<<blocks, THREADS>>>(dA, dB, width, height, 1000u + step);
    unsigned char* t = dA;
    dA = dB;
    dB = t;
  }
  cudaMemcpy(forest.data(), dA, n, cudaMemcpyDeviceToHost);
  long count[3] = {0, 0, 0};
  for (unsigned char c : forest) ++count[c];
  std::printf("bare %ld tree %ld burning %ld\n", count[0], count[1], count[2]);
  cudaFree(dA);
  cudaFree(dB);
  return 0;
}
