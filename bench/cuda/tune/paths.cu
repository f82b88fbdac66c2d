// SPDX-License-Identifier: Apache-2.0
// Monte Carlo paths of a price: special functions in a chain.
#include "../corpus/common.h"

__host__ __device__ float walk(unsigned seed, int steps) {
  Random random(seed + 1);
  float price = 100, sum = 0;
  for (int step = 0; step < steps; ++step) {
    float radius = sqrtf(-2 * logf(random.uniform() + 1e-7f));
    price *= expf(0.0005f + 0.03f * radius * cosf(6.2831853f * random.uniform()));
    sum += price;
  }
  return sum / steps;
}

__global__ void walkPaths(float* out, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = walk(i, steps);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 250000), steps = 30;
  float* out = allocate<float>(n);
  walkPaths<<<(n + 255) / 256, 256>>>(out, n, steps);
  std::vector<float> got = download(out, n);
  bool passed = true;
  for (int i = 0; i < n; i += 997)
    passed &= near(got[i], walk(i, steps), 1e-3);
  return verdict(passed);
}
