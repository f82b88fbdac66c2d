// SPDX-License-Identifier: Apache-2.0
// atomicAdd and atomicExch on float and double; sums of values that are exact in any order.
#include <algorithm>

#include "../check.h"

__global__ void run(float* f, double* d, float* old) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  old[i] = atomicAdd(&f[0], 0.5f);
  atomicAdd(&f[1], -float(i % 16) * 0.25f);
  atomicAdd(&f[2 + i % 5], 1.0f);
  old[gridDim.x * blockDim.x + i] = atomicExch(&f[7], float(i));
  atomicAdd(&d[0], 0.125);
  atomicAdd(&d[1], double(i) * 0x1p-40);
}

int main() {
  const int n = 2000;
  DeviceArray<float> f(std::vector<float>{0, 100, 0, 0, 0, 0, 0, -1}), old(2 * n);
  DeviceArray<double> d(std::vector<double>{1e9, 0});
  run<<<20, 100>>>(f, d, old);
  CHECK_LAUNCH();
  const std::vector<float> got = f.read();
  float sum = 100;
  for (int i = 0; i < n; ++i)
    sum -= float(i % 16) * 0.25f;
  expectEqual("sum of halves", got[0], n * 0.5f);
  expectEqual("sum of quarters", got[1], sum);
  for (int k = 2; k < 7; ++k)
    expectEqual("bin", got[k], n / 5.0f);
  expectEqual("double", d.read()[0], 1e9 + n * 0.125);
  expectEqual("small double", d.read()[1], double(n) * (n - 1) / 2 * 0x1p-40);
  std::vector<float> tickets = old.read();
  tickets.push_back(got[7]); // exchanged values: each went out once, and one is still there
  std::sort(tickets.begin(), tickets.begin() + n);
  std::sort(tickets.begin() + n, tickets.end());
  for (int i = 0; i < n; ++i)
    expectEqual("ticket", tickets[i], i * 0.5f);
  for (int i = 0; i <= n; ++i)
    expectEqual("exchanged", tickets[n + i], float(i - 1));
  return finish();
}
