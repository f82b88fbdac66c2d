// SPDX-License-Identifier: Apache-2.0
// Number of steps a random walker needs to leave a disc, one walker per thread.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Rng {
  uint32_t state;
  __device__ explicit Rng(uint32_t seed) : state(seed * 2654435761u + 97u) {}
  __device__ uint32_t next() {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  }
};

__device__ int cursor = 0;

// Gives every dry lane of the warp the next item; numbers from n on mean that none is left.
__device__ int nextItem(bool dry, int item) {
  unsigned votes = __ballot_sync(0xffffffffu, dry);
  int lane = threadIdx.x & 31;
  int base = 0;
  if (lane == 0 && votes != 0) base = atomicAdd(&cursor, __popc(votes));
  base = __shfl_sync(0xffffffffu, base, 0);
  return dry ? base + __popc(votes & ((1u << lane) - 1u)) : item;
}

__global__ void walk(int* steps, int walkers, int radius, int maxSteps) {
  int w = 0, x = 0, y = 0, n = 0;
  Rng rng(0);
  bool dry = true;
  while (true) {
    bool fresh = dry && w < walkers;
    w = nextItem(fresh, w);
    if (fresh && w < walkers) {
      rng = Rng(w + 1);
      x = y = n = 0;
      dry = false;
    }
    if (__all_sync(0xffffffffu, dry)) break;
    if (!dry) {
      for (int burst = 0; burst < 16 && !dry; ++burst) {
        uint32_t r = rng.next() >> 30;
        x += (r == 0) - (r == 1);
        y += (r == 2) - (r == 3);
        dry = ++n >= maxSteps || x * x + y * y >= radius * radius;
      }
      if (dry) steps[w] = n;
    }
  }
}

int main(int argc, char** argv) {
  int walkers = argc > 1 ? std::atoi(argv[1]) : 400000;
  int* dSteps;
  cudaMalloc(&dSteps, walkers * sizeof(int));
  walk<<<(walkers + 1023) / 1024, 256>>>(dSteps, walkers, 16, 4000);
  std::vector<int> steps(walkers);
  cudaMemcpy(steps.data(), dSteps, walkers * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  int longest = 0, check = 0;
  for (int n : steps) {
    sum += n;
    longest = n > longest ? n : longest;
    check = (check * 31 + n) % 1000003;
  }
  std::printf("steps %lld longest %d check %d\n", sum, longest, check);
  cudaFree(dSteps);
  return 0;
}
