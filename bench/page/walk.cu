// SPDX-License-Identifier: Apache-2.0
//
// One warp, a bit over a million instructions: each lane walks by its own dice through four kinds of steps, one of them
// a loop. Hardly two steps of the warp have the same lanes, which is the most that the page can be asked to draw.
#include <cstdio>
#include <cstdlib>

__device__ unsigned roll(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 16;
}

__global__ void walk(float* out, int steps) {
  unsigned state = 12345u + 977u * (threadIdx.x / 4); // four lanes go together: more would be more masks than a recording keeps
  float at = 0.0f;
  for (int i = 0; i < steps; ++i) {
    const unsigned dice = roll(state) % 16;
    if (dice < 6) {
      at += 0.25f;
    } else if (dice < 9) {
      at = at * 0.75f - 1.0f;
    } else if (dice < 15) {
      for (unsigned turns = roll(state) % 8; turns > 0; --turns)
        at = at * 0.5f + static_cast<float>(turns);
    } else if (at > 4.0f) {
      at = -at;
    }
  }
  out[threadIdx.x] = at;
}

int main(int count, char** words) {
  const int steps = count > 1 ? std::atoi(words[1]) : 21000;
  float* out;
  cudaMallocManaged(&out, 32 * sizeof(float));
  walk<<<1, 32>>>(out, steps);
  cudaDeviceSynchronize();
  std::printf("lane 0 is at %.3f\n", out[0]);
}
