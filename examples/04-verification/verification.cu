// SPDX-License-Identifier: Apache-2.0
//
// Novak's verification kernel: every turn of the loop takes one of two long paths, by chance. A warp
// runs both in almost every turn. Which warp a thread belongs to does not matter to anyone, so the
// threads of a block may trade places until most warps want one path only.
//
//   heddle fix examples/04-verification/verification.cu
#include "../common.h"

__global__ void verification(const unsigned* seeds, float* results, int iterations, float share) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = seeds[thread];
  float result = 1.0f;
  for (int i = 0; i < iterations; ++i) {
    if (uniform(state) < share) {
#pragma unroll 1
      for (int step = 0; step < 200; ++step)
        result = fmaf(result, 0.999f, 0.25f);
    } else {
#pragma unroll 1
      for (int step = 0; step < 200; ++step)
        result = fabsf(result - 0.5f) * 0.9f;
    }
  }
  results[thread] = result;
}

int main(int argc, char** argv) {
  const int iterations = argc > 1 ? std::atoi(argv[1]) : 50;
  const int blocks = 264, threads = 256, count = blocks * threads;
  const unsigned* seeds = toDevice(makeSeeds(count));
  float* results = toDevice(std::vector<float>(count));
  verification<<<blocks, threads>>>(seeds, results, iterations, 0.5f);
  printMean("results", toHost(results, count));
}
