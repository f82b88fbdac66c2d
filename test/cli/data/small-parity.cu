// SPDX-License-Identifier: Apache-2.0
//
// Even threads do one thing, odd threads another.
#include <cstdio>
#include <cstdlib>

__global__ void parity(float* results, int steps) {
  const unsigned thread = threadIdx.x;
  float value = results[thread];
  if (thread % 2 == 0) {
#pragma unroll 1
    for (int i = 0; i < steps; ++i)
      value = fmaf(value, 0.999f, 0.25f);
  } else {
#pragma unroll 1
    for (int i = 0; i < steps; ++i)
      value = fabsf(value - 0.5f) * 0.9f;
  }
  results[thread] = value;
}

int main(int argc, char** argv) {
  float host[64] = {}, *results;
  cudaMalloc(&results, sizeof host);
  cudaMemcpy(results, host, sizeof host, cudaMemcpyHostToDevice);
  parity<<<1, 64>>>(results, argc > 1 ? std::atoi(argv[1]) : 2500);
  cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(results);
  std::printf("%g\n", host[0] + host[1]);
}
