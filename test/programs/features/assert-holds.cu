// SPDX-License-Identifier: Apache-2.0
// assert in device code that holds: in straight code, in branches, in functions, with && and a
// message.
#include <cassert>

#include "../check.h"

__device__ __noinline__ int divide(int a, int b) {
  assert(b != 0 && "no division by zero");
  return a / b;
}

__global__ void run(int* out, int n) {
  const int i = threadIdx.x;
  assert(n == int(blockDim.x));
  if (i % 2)
    out[i] = divide(100, i);
  else
    out[i] = -i;
  assert(out[i] <= 100);
  for (int k = 0; k < i; ++k)
    assert(k < n);
}

int main() {
  DeviceArray<int> out(64);
  run<<<1, 64>>>(out, 64);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return i % 2 ? 100 / int(i) : -int(i); });
  return finish();
}
