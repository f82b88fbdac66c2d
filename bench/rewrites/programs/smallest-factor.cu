// SPDX-License-Identifier: Apache-2.0
// Smallest prime factor of odd numbers by trial division.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void factor(const unsigned* numbers, unsigned* smallest, size_t count) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    unsigned n = numbers[i];
    unsigned d = 3;
    while (d * d <= n && n % d != 0) {
      d += 2;
    }
    smallest[i] = d * d <= n ? d : n;
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
  int blocks = static_cast<int>((count + 255) / 256);
  factor<<<blocks, 256>>>(dNumbers, dSmallest, count);
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
