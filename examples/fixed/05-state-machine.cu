// SPDX-License-Identifier: Apache-2.0
//
// A particle is in one of four states each turn, and what it does there takes 1, 1, 5 or 10 units:
// the shares and costs of Novak's table E.2. The rare states are the expensive ones, and every warp
// waits for them in almost every turn.
//
//   heddle fix examples/05-state-machine/states.cu
#include "../common.h"
#include <heddle/schedule.cuh>

template <int State> __device__ float spend(float value, int steps) {
#pragma unroll 1
  for (int i = 0; i < steps; ++i)
    value = fmaf(value, 1.0f - 0.001f * (State + 1), 0.5f + State);
  return value;
}

__global__ void walk(const unsigned* seeds, float* energies, int turns, int unit) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = seeds[thread];
  float energy = 1.0f;
  int turn = 0;
  unsigned chance;
  heddle::scheduled_loop<heddle::aging, 4>(
      [&] {
        if (turn >= turns)
          return heddle::done;
        chance = draw(state) % 100;
        return chance < 18 ? 0 : chance < 77 ? 1 : chance < 79 ? 2 : 3;
      },
      [&] {
        energy = spend<0>(energy, unit);
      },
      [&] {
        energy = spend<1>(energy, unit);
      },
      [&] {
        energy = spend<2>(energy, 5 * unit);
      },
      [&] {
        energy = spend<3>(energy, 10 * unit);
      },
      [&] {
        ++turn;
      });
  energies[thread] = energy;
}

int main(int argc, char** argv) {
  const int turns = argc > 1 ? std::atoi(argv[1]) : 20;
  const int blocks = 264, threads = 256, count = blocks * threads;
  const unsigned* seeds = toDevice(makeSeeds(count));
  float* energies = toDevice(std::vector<float>(count));
  walk<<<blocks, threads>>>(seeds, energies, turns, 16);
  printMean("particles", toHost(energies, count));
}
