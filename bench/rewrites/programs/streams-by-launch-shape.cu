// SPDX-License-Identifier: Apache-2.0
// Monte Carlo estimate of pi; the random streams depend on the number of blocks and threads.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define THREADS 20

__global__ void throwDarts(unsigned* inside, int perThread) {
  unsigned stream = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned streams = gridDim.x * blockDim.x;
  unsigned s = stream * 747796405u + streams;
  unsigned hits = 0;
  for (int k = 0; k < perThread; ++k) {
    s = s * 1664525u + 1013904223u;
    unsigned x = s >> 17;
    s = s * 1664525u + 1013904223u;
    unsigned y = s >> 17;
    hits += x * x + y * y < 32768u * 32768u;
  }
  inside[blockIdx.x * blockDim.x + threadIdx.x] = hits * (1u + blockDim.x % 32u);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 400000;
  int blocks = (n + THREADS - 1) / THREADS;
  n = blocks * THREADS;
  const int perThread = 100;
  unsigned* dInside;
  cudaMalloc(&dInside, n * sizeof(unsigned));
  throwDarts<<<blocks, THREADS>>>(dInside, perThread);
  std::vector<unsigned> inside(n);
  cudaMemcpy(inside.data(), dInside, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (unsigned h : inside) sum += h;
  std::printf("hits %.0f pi %.4f\n", sum,
              4.0 * sum / (1.0 + THREADS % 32) / (double(n) * perThread));
  cudaFree(dInside);
  return 0;
}
