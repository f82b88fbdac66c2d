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

__global__ void walk(int* steps, int walkers, int radius, int maxSteps) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w < walkers) {
    Rng rng(w + 1);
    int x = 0, y = 0, n = 0;
    while (x * x + y * y < radius * radius) {
      uint32_t r = rng.next() >> 30;
      x += (r == 0) - (r == 1);
      y += (r == 2) - (r == 3);
      if (++n >= maxSteps) break;
    }
    steps[w] = n;
  }
}

int main(int argc, char** argv) {
  int walkers = argc > 1 ? std::atoi(argv[1]) : 400000;
  int* dSteps;
  cudaMalloc(&dSteps, walkers * sizeof(int));
  walk<<<(walkers + 255) / 256, 256>>>(dSteps, walkers, 16, 4000);
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
