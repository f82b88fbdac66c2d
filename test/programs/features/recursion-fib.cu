// SPDX-License-Identifier: Apache-2.0
// Recursion of different depth in every lane: Fibonacci, Ackermann, and two functions that call
// each other.
#include "../check.h"

__host__ __device__ __noinline__ int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__host__ __device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__host__ __device__ int female(int n);
__host__ __device__ __noinline__ int male(int n) {
  return n == 0 ? 0 : n - female(male(n - 1));
}
__host__ __device__ __noinline__ int female(int n) {
  return n == 0 ? 1 : n - male(female(n - 1));
}

__host__ __device__ int work(int i) {
  return fib(i % 12) + 1000 * ackermann(i % 3, i % 4) + 100000 * male(i % 11) +
         2000000 * female(i % 9);
}

__global__ void run(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = work(i);
}

int main() {
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
  DeviceArray<int> out(96);
  run<<<2, 48>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return work(int(i)); });
  return finish();
}
