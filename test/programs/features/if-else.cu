// SPDX-License-Identifier: Apache-2.0
// Branches on the thread, on data, and on both; else-if chains, ternaries and short circuits.
#include "../check.h"

__host__ __device__ int classify(int i, int x, int* touched) {
  int result;
  if (i % 2)
    result = x * 3;
  else
    result = x - 7;
  if (x < 0)
    result = -result;
  else if (x < 10)
    result += 100;
  else if (x < 1000)
    result ^= 0x55;
  else
    result = i;
  result += x > 50 ? i : x % 5 == 0 ? 2 * i : 3 * i;
  // The right operand runs only where the left one leaves the answer open.
  if ((x & 1) && ++*touched > 0)
    result += 1000;
  if ((x & 2) || ++*touched > 1)
    result += 10000;
  return result;
}

__global__ void run(const int* in, int* out, int* touched, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  touched[i] = 0;
  out[i] = classify(i, in[i], &touched[i]);
}

int main() {
  const int n = 1000;
  std::vector<int> in(n), want(n), wantTouched(n);
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 7919) % 2311 - 200;
    want[i] = classify(i, in[i], &wantTouched[i]);
  }
  DeviceArray<int> input(in), out(n), touched(n);
  run<<<8, 128>>>(input, out, touched, n);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [&](size_t i) { return want[i]; });
  expectArray("touched", touched.read(), [&](size_t i) { return wantTouched[i]; });
  return finish();
}
