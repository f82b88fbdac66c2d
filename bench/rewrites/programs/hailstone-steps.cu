// SPDX-License-Identifier: Apache-2.0
// Steps and peak of the 3n+1 sequence for a range of starting numbers.
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef unsigned long long ull;

__global__ void hailstone(ull first, int count, int* steps, ull* peak) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    ull n = first + i;
    ull top = n;
    int k = 0;
    while (n != 1) {
      if (n & 1) {
        n = 3 * n + 1;
        if (n > top) top = n;
      } else {
        n >>= 1;
      }
      k++;
    }
    steps[i] = k;
    peak[i] = top;
  }
}

int main(int argc, char** argv) {
  int count = argc > 1 ? std::atoi(argv[1]) : 600000;
  ull first = 1000000007ull;
  int* dSteps;
  ull* dPeak;
  cudaMalloc(&dSteps, count * sizeof(int));
  cudaMalloc(&dPeak, count * sizeof(ull));
  hailstone<<<(count + 255) / 256, 256>>>(first, count, dSteps, dPeak);
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
