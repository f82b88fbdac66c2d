#include <cstdio>

__global__ void add(int* data, int value) { data[threadIdx.x] += value; }

__global__ void speak(int value) { printf("%d\n", value); }

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void recursive(int* data) { data[0] = fibonacci(data[1]); }
