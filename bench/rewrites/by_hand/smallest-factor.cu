// SPDX-License-Identifier: Apache-2.0
// Smallest prime factor of odd numbers by trial division.
#include <cstdio>
#include <cstdlib>
#include <vector>

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

__global__ void factor(const unsigned* numbers, unsigned* smallest, int count) {
  int i = 0;
  unsigned n = 0, d = 3;
  bool dry = true;
  while (true) {
    bool fresh = dry && i < count;
    i = nextItem(fresh, i);
    if (fresh && i < count) {
      n = numbers[i];
      d = 3;
      dry = false;
    }
    if (__all_sync(0xffffffffu, dry)) break;
    if (!dry) {
      for (int burst = 0; burst < 16 && !dry; ++burst) {
        dry = d * d > n || n % d == 0;
        if (!dry) d += 2;
      }
      if (dry) smallest[i] = d * d <= n ? d : n;
    }
  }
}

int main(int argc, char** argv) {
  size_t count = argc > 1 ? std::atoi(argv[1]) : 500000;
  std::vector<unsigned> numbers(count), smallest(count);
  unsigned s = 1742;
  for (unsigned& n : numbers) {
    s = s * 1664525u + 1013904223u;
    n = 3000001u + 2u * ((s >> 9) % 4000000u);
  }
  unsigned *dNumbers, *dSmallest;
  cudaMalloc(&dNumbers, count * sizeof(unsigned));
  cudaMalloc(&dSmallest, count * sizeof(unsigned));
  cudaMemcpy(dNumbers, numbers.data(), count * sizeof(unsigned), cudaMemcpyHostToDevice);
  int blocks = static_cast<int>((count + 1023) / 1024);
  factor<<<blocks, 256>>>(dNumbers, dSmallest, static_cast<int>(count));
  cudaMemcpy(smallest.data(), dSmallest, count * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  size_t primes = 0;
  for (size_t i = 0; i < count; ++i) {
    sum += smallest[i];
    primes += smallest[i] == numbers[i];
  }
  std::printf("primes %zu, sum of factors %llu\n", primes, sum);
  cudaFree(dNumbers);
  cudaFree(dSmallest);
  return 0;
}
