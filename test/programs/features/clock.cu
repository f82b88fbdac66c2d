// SPDX-License-Identifier: Apache-2.0
// clock() and clock64() never go back, move on while a thread works, and a longer loop takes longer
// than an empty one.
#include "../check.h"

__global__ void run(long long* out, float* sink, float x) {
  const int i = threadIdx.x;
  const long long start = clock64();
  const clock_t small = clock();
  for (int k = 0; k < 2000; ++k)
    x = x * 0.999f + 0.25f;
  sink[i] = x;
  const clock_t smallEnd = clock();
  const long long middle = clock64();
  const long long end = clock64();
  out[i * 3] = middle - start;
  out[i * 3 + 1] = end - middle;
  out[i * 3 + 2] = (long long)(unsigned)(smallEnd - small);
}

int main() {
  DeviceArray<long long> out(64 * 3);
  DeviceArray<float> sink(64);
  run<<<1, 64>>>(out, sink, 1.0f);
  CHECK_LAUNCH();
  const std::vector<long long> got = out.read();
  for (int i = 0; i < 64; ++i) {
    expectTrue("the loop took time", got[i * 3] > 0);
    expectTrue("time does not go back", got[i * 3 + 1] >= 0);
    expectTrue("the loop took longer than nothing", got[i * 3] > got[i * 3 + 1]);
    expectTrue("clock() moves as well", got[i * 3 + 2] > 0);
  }
  return finish();
}
