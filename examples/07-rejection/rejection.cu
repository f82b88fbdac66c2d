// SPDX-License-Identifier: Apache-2.0
//
// Rejection sampling: a candidate is cheap to draw, one in five is accepted, and what an accepted
// one costs is paid by the whole warp, whoever has one.
//
//   heddle fix examples/07-rejection/rejection.cu
#include "../common.h"

__global__ void sample(const unsigned* seeds, float* sums, int wanted) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = seeds[thread];
  float sum = 0.0f;
  int taken = 0;
  while (taken < wanted) {
    const float x = uniform(state);
    const float y = uniform(state);
    if (y < x * x * x * x) {
      float value = x;
#pragma unroll 1
      for (int i = 0; i < 150; ++i)
        value = fmaf(value, 0.99f, 0.01f * x);
      sum += value;
      ++taken;
    }
  }
  sums[thread] = sum;
}

int main(int argc, char** argv) {
  const int wanted = argc > 1 ? std::atoi(argv[1]) : 12;
  const int blocks = 264, threads = 256, count = blocks * threads;
  const unsigned* seeds = toDevice(makeSeeds(count));
  float* sums = toDevice(std::vector<float>(count));
  sample<<<blocks, threads>>>(seeds, sums, wanted);
  printMean("sums", toHost(sums, count));
}
