// SPDX-License-Identifier: Apache-2.0
//
// Novak's verification kernel: every turn of the loop takes one of two long paths, by chance. A warp
// runs both in almost every turn. Which warp a thread belongs to does not matter to anyone, so the
// threads of a block may trade places until most warps want one path only.
//
//   heddle fix examples/04-verification/verification.cu
#include "../common.h"
#include <cassert>
#include <heddle/regroup.cuh>

__global__ void verification(const unsigned* seeds, float* results, int iterations, float share) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = seeds[thread];
  float result = 1.0f;
  assert(blockDim.x == 256);
  int i = 0;
  struct LoopState { int thread; unsigned state; float result; int i; };
  LoopState loopState{thread, state, result, i};
  heddle::regrouped_loop<256, 2, LoopState, heddle::regroup_when::mixed, 1200>(
      loopState,
      [&](LoopState& loopState) {
        auto& [thread, state, result, i] = loopState;
        if (i >= iterations)
          return heddle::done;
        return uniform(state) < share ? 0 : 1;
      },
      [&](LoopState& loopState) {
        auto& [thread, state, result, i] = loopState;
#pragma unroll 1
        for (int step = 0; step < 200; ++step)
          result = fmaf(result, 0.999f, 0.25f);
      },
      [&](LoopState& loopState) {
        auto& [thread, state, result, i] = loopState;
#pragma unroll 1
        for (int step = 0; step < 200; ++step)
          result = fabsf(result - 0.5f) * 0.9f;
      },
      [&](LoopState& loopState) {
        auto& [thread, state, result, i] = loopState;
        ++i;
      });
  thread = loopState.thread;
  result = loopState.result;
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
