// SPDX-License-Identifier: Apache-2.0
// Steps and peak of the 3n+1 sequence for a range of starting numbers.
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef unsigned long long ull;

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

__global__ void hailstone(ull first, int count, int* steps, ull* peak) {
  int i = 0, k = 0;
  ull n = 1, top = 1;
  bool dry = true;
  while (true) {
    bool fresh = dry && i < count;
    i = nextItem(fresh, i);
    if (fresh && i < count) {
      n = first + i;
      top = n;
      k = 0;
      dry = false;
    }
    if (__all_sync(0xffffffffu, dry)) break;
    if (!dry) {
      for (int burst = 0; burst < 16 && n != 1; ++burst) {
        n = (n & 1) ? 3 * n + 1 : n >> 1;
        top = n > top ? n : top;
        k++;
      }
      if (n == 1) {
        steps[i] = k;
        peak[i] = top;
        dry = true;
      }
    }
  }
}

int main(int argc, char** argv) {
  int count = argc > 1 ? std::atoi(argv[1]) : 600000;
  ull first = 1000000007ull;
  int* dSteps;
  ull* dPeak;
  cudaMalloc(&dSteps, count * sizeof(int));
  cudaMalloc(&dPeak, count * sizeof(ull));
  hailstone<<<(count + 1023) / 1024, 256>>>(first, count, dSteps, dPeak);
  std::vector<int> steps(count);
  std::vector<ull> peak(count);
  cudaMemcpy(steps.data(), dSteps, count * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(peak.data(), dPeak, count * sizeof(ull), cudaMemcpyDeviceToHost);
  ull total = 0, mix = 0;
  int longest = 0;
  for (int i = 0; i < count; ++i) {
    total += steps[i];
    mix ^= peak[i] * (i + 1);
    if (steps[i] > steps[longest]) longest = i;
  }
  std::printf("steps %llu, longest from %llu, peaks %016llx\n", total, first + longest, mix);
  cudaFree(dSteps);
  cudaFree(dPeak);
  return 0;
}
