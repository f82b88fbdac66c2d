// SPDX-License-Identifier: Apache-2.0
//
// Carrillo, Siegel and Li's decision mask: one thread an element, and a mask says which of two
// treatments it gets. One of them keeps 48 numbers in registers, and so the whole kernel runs at
// the occupancy of that one; where the mask is mixed, every warp runs both.
//
//   heddle fix examples/02-decision-mask/mask.cu
#include "../common.h"

template <int Way> // which way of the branch below a launch runs
__global__ void treat(const int* mask, const float* in, float* out, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (mask[i] == 0) {
    if (Way != 0)
      return;
    float x = in[i];
#pragma unroll 1
    for (int round = 0; round < rounds; ++round)
      x = fmaf(x, 0.5f, in[(i + 256 * round) % n]);
    out[i] = x;
  } else {
    if (Way != 1)
      return;
    float values[48];
#pragma unroll
    for (int j = 0; j < 48; ++j)
      values[j] = in[i] + static_cast<float>(j);
#pragma unroll 1
    for (int round = 0; round < rounds / 4; ++round)
#pragma unroll
      for (int j = 0; j < 48; ++j)
        values[j] = fmaf(values[j], 0.25f, values[(j + 1) % 48]);
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < 48; ++j)
      sum += values[j];
    out[i] = sum;
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 18;
  const int threads = 256;
  std::vector<int> mask(n);
  std::vector<float> in(n);
  unsigned state = 12345;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    mask[i] = (state >> 8) % 100 < 8;
    in[i] = static_cast<float>(state >> 16) / 65536.0f;
  }
  const int* deviceMask = toDevice(mask);
  const float* deviceIn = toDevice(in);
  float* deviceOut = toDevice(std::vector<float>(n));
  treat<0><<<(n + threads - 1) / threads, threads>>>(deviceMask, deviceIn, deviceOut, n, 112);
  treat<1><<<(n + threads - 1) / threads, threads>>>(deviceMask, deviceIn, deviceOut, n, 112);
  CHECK(cudaGetLastError());
  printMean("elements", toHost(deviceOut, n));
}
