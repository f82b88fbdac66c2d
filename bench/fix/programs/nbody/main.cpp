// SPDX-License-Identifier: Apache-2.0
// All-pairs gravity with a radius of influence: usage nbody [bodies] [steps]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "bodies.h"

static float uniform(float lo, float hi)
{
  static unsigned long long state = 88172645463325252ull;
  state ^= state << 7;
  state ^= state >> 9;
  return lo + (hi - lo) * (float)((state >> 20) & 0xffffff) / 16777216.0f;
}

struct Storage {
  std::vector<float> v[7];
  explicit Storage(int n)
  {
    for (auto &a : v)
      a.resize(n);
  }
  Bodies bodies()
  {
    return {(int)v[0].size(), v[0].data(), v[1].data(), v[2].data(), v[3].data(),
            v[4].data(), v[5].data(), v[6].data()};
  }
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  int steps = argc > 2 ? atoi(argv[2]) : 4;
  if (n < 2 || n > 100000 || steps < 1)
    return 1;
  Storage gpu(n);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++)
      gpu.v[k][i] = uniform(-1.5f, 1.5f);
    gpu.v[3][i] = uniform(0.5f, 2.0f) / n;
    for (int k = 4; k < 7; k++)
      gpu.v[k][i] = uniform(-0.1f, 0.1f);
  }
  Storage cpu = gpu;

  float ms = advance_gpu(gpu.bodies(), steps, 0.02f, 1.0f);
  advance_cpu(cpu.bodies(), steps, 0.02f, 1.0f);

  double worst = 0, energy = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++)
      worst = std::fmax(worst, std::fabs(gpu.v[k][i] - cpu.v[k][i]));
    energy += 0.5 * gpu.v[3][i] *
              (gpu.v[4][i] * gpu.v[4][i] + gpu.v[5][i] * gpu.v[5][i] + gpu.v[6][i] * gpu.v[6][i]);
  }
  printf("%d bodies, %d steps, kinetic energy %.5f\n", n, steps, energy);
  printf("%.3f ms, %.3f billion pairs/s\n", ms, 1e-6 * n * n * steps / ms);
  printf("%s\n", worst < 1e-3 ? "results agree" : "RESULTS DIFFER");
  return worst < 1e-3 ? 0 : 1;
}
