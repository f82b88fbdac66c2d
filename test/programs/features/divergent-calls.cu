// SPDX-License-Identifier: Apache-2.0
// Functions that are not inlined, called by some lanes only, from two places, in loops, and from
// each other.
#include "../check.h"

__host__ __device__ __noinline__ int poly(int x, int a, int b) {
  if (x < 0)
    return a - b;
  return (a * x + b) % 10007;
}

__host__ __device__ __noinline__ int sumTo(int n, int step) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += poly(i, step, n);
  return sum;
}

__host__ __device__ __noinline__ void divide(int a, int b, int* quotient, int& rest) {
  *quotient = a / b;
  rest = a % b;
}

__host__ __device__ int work(int i) {
  int result = 0, quotient = 0, rest = 0;
  if (i % 4 == 0)
    result = poly(i - 30, 3, 7);
  else if (i % 4 == 1)
    result = sumTo(i % 20, 5);
  else
    result = poly(sumTo(i % 6, 2), i, 1);
  for (int j = 0; j < i % 5; ++j)
    if ((i + j) & 1)
      result += sumTo(j, i);
  if (i % 3) {
    divide(result, i + 1, &quotient, rest);
    result = quotient * 1000 + rest;
  }
  return result;
}

__global__ void run(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = work(i);
}

int main() {
  DeviceArray<int> out(200);
  run<<<2, 100>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return work(int(i)); });
  return finish();
}
