// SPDX-License-Identifier: Apache-2.0
//
// A guard in front of the work: one pixel in ten is bright enough to be worked on. Nearly every
// warp has such a one, and 28 lanes wait for the other four.
//
//   heddle fix examples/11-guard/guard.cu
#include "../common.h"
#include <heddle/compact.cuh>

__global__ void bloom(const float* light, float* glow, int count, float limit, unsigned blocks) {
  heddle::compact_tiles<256, 4>(
      blocks,
      [&](int i) { return i < count && !(light[i] < limit); },
      [&](int i) {
        float value = light[i];
#pragma unroll 1
        for (int k = 0; k < 200; ++k)
          value = fmaf(value, 0.98f, 0.01f);
        glow[i] = value;
      });
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1 << 20;
  const int threads = 256;
  std::vector<float> light(count);
  unsigned state = 1;
  for (float& value : light) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / 16777216.0f;
  }
  const float* deviceLight = toDevice(light);
  float* glow = toDevice(std::vector<float>(count));
  bloom<<<((count + threads - 1) / threads + 3) / 4, threads>>>(deviceLight, glow, count, 0.9f, (count + threads - 1) / threads);
  CHECK(cudaGetLastError());
  printMean("pixels", toHost(glow, count));
}
