// SPDX-License-Identifier: Apache-2.0
// A loop of two long ways whose states are swapped between the threads of a block. The block's size
// is a macro: the loop must know it.
#include "../corpus/common.h"

#include <heddle/regroup.cuh>

#ifndef BLOCK
#define BLOCK 256
#endif

struct State {
  unsigned random;
  float value;
  int turn;
  int index;
};

__device__ float chain(float x, float by, int length) {
  for (int i = 0; i < length; ++i)
    x = fmaf(x, by, 0.5f - 0.001f * x);
  return x;
}

__global__ void regroupStates(float* out, int n, int turns) {
  State state = {(blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u, 1.0f, 0,
                 (int)(blockIdx.x * blockDim.x + threadIdx.x)};
  heddle::regrouped_loop<BLOCK, 2, State, heddle::regroup_when::mixed, 600>(
      state,
      [&](State& mine) {
        if (mine.turn++ == turns)
          return heddle::done;
        mine.random = mine.random * 1664525u + 1013904223u;
        return mine.random >> 31 ? 0 : 1;
      },
      [&](State& mine) { mine.value = chain(mine.value, 0.999f, 200); },
      [&](State& mine) { mine.value = chain(mine.value + 1, 0.998f, 200); });
  if (state.index < n)
    out[state.index] = state.value;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 270000), turns = 8;
  float* out = allocate<float>(n);
  regroupStates<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(out, n, turns);
  std::vector<float> got = download(out, n);
  bool passed = true;
  for (float each : got)
    passed &= each > -1000 && each < 1000;
  return verdict(passed);
}
