// SPDX-License-Identifier: Apache-2.0
// The photons of a slab with a scheduled loop: scattering and crossing take turns.
#include "../corpus/common.h"

#include <heddle/schedule.cuh>

__global__ void scatterPhotons(float* out, int n, int flights) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Random random(i + 1);
  float depth = 0.5f, weight = 1, sum = 0;
  int flight = 0;
  heddle::scheduled_loop<heddle::aging, 2>(
      [&] {
        if (flight++ == flights)
          return heddle::done;
        return random.uniform() < 0.2f ? 0 : 1;
      },
      [&] {
        float angle = 6.2831853f * random.uniform();
        weight = weight * 0.9f + 0.01f * cosf(angle) * sinf(2 * angle) * expf(-depth);
        depth = fabsf(depth + sqrtf(weight * weight + 0.01f) * sinf(angle));
      },
      [&] {
        float step = -logf(random.uniform() + 1e-7f);
        depth = depth + 0.1f * step * cosf(depth);
        sum += weight * expf(-depth * depth);
      });
  out[i] = sum;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 130000), flights = 24;
  float* out = allocate<float>(n);
  scatterPhotons<<<(n + 255) / 256, 256>>>(out, n, flights);
  std::vector<float> got = download(out, n);
  bool passed = true;
  for (float each : got)
    passed &= each >= 0 && each < 2.0f * flights;
  return verdict(passed);
}
