// SPDX-License-Identifier: Apache-2.0
// Extends promising sequence seeds to the right without gaps until the score drops too far.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define MIN_SEED_SCORE 24
#define XDROP 12

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

__global__ void extend(const char* query, int queryLen, const char* target, int targetLen,
                       const int2* seeds, const short* seedScore, int* best, int numSeeds) {
  __shared__ int list[THREADS * TILES];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int tile = 0; tile < TILES; ++tile) {
    int i = (blockIdx.x * TILES + tile) * THREADS + threadIdx.x;
    bool good = i < numSeeds && seedScore[i] >= MIN_SEED_SCORE;
    if (i < numSeeds && !good) best[i] = 0;
    pack(good, i, list, &count);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < count; slot += THREADS) {
    int i = list[slot];
    int q = seeds[i].x, t = seeds[i].y;
    int score = seedScore[i], top = score;
    while (q < queryLen && t < targetLen) {
      score += query[q] == target[t] ? 2 : -3;
      if (score > top) top = score;
      if (score < top - XDROP) break;
      ++q;
      ++t;
    }
    best[i] = top;
  }
}

static unsigned lcg = 5;
static unsigned rnd() {
  lcg = lcg * 1664525u + 1013904223u;
  return lcg >> 9;
}

int main(int argc, char** argv) {
  int numSeeds = argc > 1 ? std::atoi(argv[1]) : 2000000;
  const int len = 1 << 16;
  std::vector<char> query(len), target(len);
  for (int i = 0; i < len; ++i) {
    query[i] = "ACGT"[rnd() & 3];
    target[i] = rnd() % 100 < 85 ? query[i] : "ACGT"[rnd() & 3];
  }
  std::vector<int2> seeds(numSeeds);
  std::vector<short> scores(numSeeds);
  for (int s = 0; s < numSeeds; ++s) {
    int q = static_cast<int>(rnd() % len);
    seeds[s] = make_int2(q, rnd() % 4 ? q : static_cast<int>(rnd() % len));
    scores[s] = static_cast<short>(rnd() % 26);
  }
  char *dQuery, *dTarget;
  int2* dSeeds;
  short* dScores;
  int* dBest;
  cudaMalloc(&dQuery, len);
  cudaMalloc(&dTarget, len);
  cudaMalloc(&dSeeds, numSeeds * sizeof(int2));
  cudaMalloc(&dScores, numSeeds * sizeof(short));
  cudaMalloc(&dBest, numSeeds * sizeof(int));
  cudaMemcpy(dQuery, query.data(), len, cudaMemcpyHostToDevice);
  cudaMemcpy(dTarget, target.data(), len, cudaMemcpyHostToDevice);
  cudaMemcpy(dSeeds, seeds.data(), numSeeds * sizeof(int2), cudaMemcpyHostToDevice);
  cudaMemcpy(dScores, scores.data(), numSeeds * sizeof(short), cudaMemcpyHostToDevice);
  int blocks = (numSeeds + THREADS * TILES - 1) / (THREADS * TILES);
  extend<<<blocks, THREADS>>>(dQuery, len, dTarget, len, dSeeds, dScores, dBest, numSeeds);
  std::vector<int> best(numSeeds);
  cudaMemcpy(best.data(), dBest, numSeeds * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  int top = 0;
  for (int b : best) {
    sum += b;
    if (b > top) top = b;
  }
  std::printf("sum of scores %lld, best %d\n", sum, top);
  cudaFree(dQuery);
  cudaFree(dTarget);
  cudaFree(dSeeds);
  cudaFree(dScores);
  cudaFree(dBest);
  return 0;
}
