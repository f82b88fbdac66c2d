// SPDX-License-Identifier: Apache-2.0
// Encodes the live samples of each group of 32 as differences from the group's first live one.
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ int expensive(int v) {
  for (int k = 0; k < 60; ++k) v = (v * 16807) % 65521 + k;
  return v;
}

__global__ void encode(const int* samples, int* coded, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? samples[i] : -1;
  unsigned live = __ballot_sync(0xffffffffu, v >= 0);
  if (v >= 0) {
    int mine = expensive(v % 30000);
    int first = __shfl_sync(live, mine, __ffs(live) - 1);
    coded[i] = mine - first;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 3000000;
  std::vector<int> samples(n);
  unsigned s = 222;
  for (int& v : samples) {
    s = s * 1664525u + 1013904223u;
    v = (s >> 12) % 100 < 15 ? static_cast<int>(s >> 10) : -1;
  }
  int *dSamples, *dCoded;
  cudaMalloc(&dSamples, n * sizeof(int));
  cudaMalloc(&dCoded, n * sizeof(int));
  cudaMemcpy(dSamples, samples.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(dCoded, 0, n * sizeof(int));
  encode<<<(n + 127) / 128, 128>>>(dSamples, dCoded, n);
  cudaMemcpy(samples.data(), dCoded, n * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0, magnitude = 0;
  for (int v : samples) {
    sum += v;
    magnitude += v < 0 ? -v : v;
  }
  std::printf("sum %lld magnitude %lld\n", sum, magnitude);
  cudaFree(dSamples);
  cudaFree(dCoded);
  return 0;
}
