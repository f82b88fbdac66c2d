// SPDX-License-Identifier: Apache-2.0
// FLAGS: -std c++20
// Templates whose parameters must meet a concept: kernels, and what they are given. Host and device
// must agree on their names.
#include <concepts>

#include "../check.h"

template <class F>
concept Rule = requires(const F rule, int number) {
  { rule(number) } -> std::same_as<int>;
};
struct Twice {
  __host__ __device__ int operator()(int number) const { return 2 * number; }
};
struct Shape {
  int width, height;
};

template <Rule R> __global__ void apply(R rule, int* numbers) {
  numbers[threadIdx.x] = rule(numbers[threadIdx.x]);
}
template <class F> __global__ void each(int* numbers, F f) {
  numbers[threadIdx.x] = f(int(threadIdx.x));
}
template <std::integral T, Shape shape>
  requires(sizeof(T) == 4)
__global__ void areas(T* numbers) {
  numbers[threadIdx.x] += T(shape.width * shape.height);
}

template <Rule R> struct Next {
  R rule;
  __host__ __device__ int operator()(int i) const { return rule(i) + 1; }
};
struct Fill {
  int first;
  __host__ __device__ int operator()(int i) const { return first + i; }
};
template <Rule R> void run(R rule, int* numbers) {
  each<<<1, 32>>>(numbers, Next<R>{rule});
  apply<<<1, 32>>>(rule, numbers);
  areas<int, Shape{3, 4}><<<1, 32>>>(numbers);
}

int main() {
  int* numbers = nullptr;
  CHECK_CUDA(cudaMallocManaged(&numbers, 32 * sizeof(int)));
  run(Twice{}, numbers);
  CHECK_LAUNCH();
  for (int i = 0; i < 32; ++i)
    if (numbers[i] != 2 * (2 * i + 1) + 12) {
      printf("FAIL: thread %d: %d, expected %d\n", i, numbers[i], 2 * (2 * i + 1) + 12);
      return 1;
    }
  run(Fill{5}, numbers);
  CHECK_LAUNCH();
  for (int i = 0; i < 32; ++i)
    if (numbers[i] != 5 + (5 + i + 1) + 12) {
      printf("FAIL: thread %d: %d, expected %d\n", i, numbers[i], 5 + (5 + i + 1) + 12);
      return 1;
    }
  CHECK_CUDA(cudaFree(numbers));
  puts("PASS");
  return 0;
}
