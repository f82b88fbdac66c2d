// SPDX-License-Identifier: Apache-2.0
// Pointers to device functions: chosen by the lane, passed to a function, kept in a struct and read
// back by the host.
#include "../check.h"

typedef int (*Operation)(int, int);

__host__ __device__ int add(int a, int b) {
  return a + b;
}
__host__ __device__ int times(int a, int b) {
  return a * b;
}
__host__ __device__ int gcd(int a, int b) {
  while (b) {
    const int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

struct Task {
  Operation operation;
  int argument;
};

__host__ __device__ __noinline__ int fold(Operation f, int n, int start) {
  for (int i = 1; i <= n; ++i)
    start = f(start, i) % 1000;
  return start;
}

__host__ __device__ __noinline__ Operation choose(int i) {
  return i % 3 == 0 ? add : i % 3 == 1 ? times : gcd;
}

__host__ __device__ int work(int i) {
  const Task task{choose(i), i + 3};
  return fold(task.operation, i % 7, task.argument) + (task.operation == gcd ? 5000 : 0);
}

__device__ Operation handle = times;

__global__ void divergent(int* out) {
  out[threadIdx.x] = work(threadIdx.x);
}
__global__ void fromHost(Operation f, int* out) {
  out[threadIdx.x] = f(threadIdx.x, 9);
}

int main() {
  DeviceArray<int> out(64), passed(64);
  divergent<<<1, 64>>>(out);
  Operation onDevice = nullptr; // an address that means something on the device only
  CHECK_CUDA(cudaMemcpyFromSymbol(&onDevice, handle, sizeof onDevice));
  fromHost<<<1, 64>>>(onDevice, passed);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return work(int(i)); });
  expectArray("passed", passed.read(), [](size_t i) { return int(i) * 9; });
  return finish();
}
