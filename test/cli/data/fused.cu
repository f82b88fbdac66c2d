// SPDX-License-Identifier: Apache-2.0
//
// A product in front of a branch and a sum behind it: a compiler fuses the two where it sees both.
#include <cstdio>

__global__ void steps(float* results, int turns) {
  const int thread = threadIdx.x;
  float value = results[thread];
  unsigned state = thread * 2654435761u;
  for (int i = 0; i < turns; ++i) {
    state = state * 1664525u + 1013904223u;
    const float product = value * 0.7654321f;
    if (state >> 31) {
      value = product + 0.1234567f;
#pragma unroll 1
      for (int step = 0; step < 100; ++step)
        value = fabsf(value - 0.5f);
    } else {
#pragma unroll 1
      for (int step = 0; step < 100; ++step)
        value = fabsf(value - 0.375f);
    }
  }
  results[thread] = value;
}

int main() {
  int turns = 0;
  if (std::scanf("%d", &turns) != 1)
    return std::puts("no number came on standard input"), 3;
  float host[1024] = {}, *results;
  for (int i = 0; i < 1024; ++i)
    host[i] = i / 7.0f;
  cudaMalloc(&results, sizeof host);
  cudaMemcpy(results, host, sizeof host, cudaMemcpyHostToDevice);
  steps<<<1, 1024>>>(results, turns);
  cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(results);
  std::printf("%.9g\n", host[3]);
}
