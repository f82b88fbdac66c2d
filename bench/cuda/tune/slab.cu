// SPDX-License-Identifier: Apache-2.0
// Photons in a slab: they fly, scatter or lose weight until little is left of them.
#include "../corpus/common.h"

__host__ __device__ float follow(unsigned seed) {
  Random random(seed + 1);
  float depth = 0.5f, direction = 1, weight = 1, deepest = 0;
  while (weight > 0.05f) {
    depth += direction * 0.2f * random.uniform();
    if (depth < 0.0f || depth > 1.0f) {
      direction = -direction;
      depth = depth < 0.0f ? -depth : 2.0f - depth;
      weight *= 0.4f;
    } else if (random.uniform() < 0.3f) {
      direction = 2 * random.uniform() - 1;
      weight *= 0.8f;
    }
    deepest = fmaxf(deepest, depth * weight);
  }
  return deepest;
}

__global__ void followPhotons(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = follow(i);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 500000);
  float* out = allocate<float>(n);
  followPhotons<<<(n + 255) / 256, 256>>>(out, n);
  std::vector<float> got = download(out, n);
  int differing = 0;
  for (int i = 0; i < n; i += 997)
    differing += !near(got[i], follow(i), 1e-3);
  return verdict(differing <= n / 997 / 50); // rounding may send a photon another way
}
