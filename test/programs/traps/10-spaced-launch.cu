// SPDX-License-Identifier: Apache-2.0
// Trap 10: a formatter has put blanks into <<< and >>>. nvcc takes it; clang alone does not.
// clang-format off
#include "../check.h"

__global__ void store(int* out, int value) { out[threadIdx.x] = value + int(threadIdx.x); }

int main() {
  DeviceArray<int> out(32);
  store << < 1, 32 >> > (out, 5);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return int(i) + 5; });
  store <<< 1, dim3(32), 0 >> >(out, 7);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return int(i) + 7; });
  expectTrue("shifts stay shifts", (1 << 4 >> 2) == 4);
  return finish();
}
