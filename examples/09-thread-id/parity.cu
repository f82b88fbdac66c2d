// SPDX-License-Identifier: Apache-2.0
//
// Even threads do one thing, odd threads another: every warp does both, half empty. Which thread is
// even is only a matter of numbering.
//
//   heddle fix examples/09-thread-id/parity.cu
#include "../common.h"

__global__ void parity(const unsigned* seeds, float* results, int steps) {
  const unsigned thread = threadIdx.x;
  const unsigned place = blockIdx.x * blockDim.x + thread;
  float value = static_cast<float>(seeds[place] >> 8) / 16777216.0f;
  if (thread % 2 == 0) {
#pragma unroll 1
    for (int i = 0; i < steps; ++i)
      value = fmaf(value, 0.999f, 0.25f);
  } else {
#pragma unroll 1
    for (int i = 0; i < steps; ++i)
      value = fabsf(value - 0.5f) * 0.9f;
  }
  results[place] = value;
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 2500;
  const int blocks = 264, threads = 256, count = blocks * threads;
  const unsigned* seeds = toDevice(makeSeeds(count));
  float* results = toDevice(std::vector<float>(count));
  parity<<<blocks, threads>>>(seeds, results, steps);
  CHECK(cudaGetLastError());
  printMean("results", toHost(results, count));
}
