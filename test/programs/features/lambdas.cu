// SPDX-License-Identifier: Apache-2.0
// Lambdas inside kernels: capture by value and by reference, generic, nested, chosen by the lane,
// mutable.
#include "../check.h"

template <class F> __device__ int repeat(int n, F f) {
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum += f(k);
  return sum;
}

// A functor is what a lambda is; this one goes to the kernel as an argument.
struct Affine {
  int a, b;
  __host__ __device__ int operator()(int x) const { return a * x + b; }
};

template <class F> __global__ void run(int* out, F affine) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto byValue = [=](int k) { return affine(k) + i; };
  int calls = 0;
  const auto byReference = [&](int k) {
    calls += k;
    return 1;
  };
  const auto generic = [](auto x) { return x + x; };
  const auto nested = [&](int k) { return repeat(k, [&](int j) { return j * byValue(k); }); };
  int sum = i % 2 ? repeat(i % 6, byValue) : repeat(i % 4, nested);
  sum += repeat(i % 5, byReference) + calls;
  int state = i;
  auto next = [state]() mutable { return state = state * 5 % 101; };
  next();
  out[i] = sum + generic(i) + int(generic(0.5f)) + next() - state;
}

int reference(int i, Affine affine) {
  int sum = 0;
  if (i % 2)
    for (int k = 0; k < i % 6; ++k)
      sum += affine(k) + i;
  else
    for (int k = 0; k < i % 4; ++k)
      for (int j = 0; j < k; ++j)
        sum += j * (affine(k) + i);
  for (int k = 0; k < i % 5; ++k)
    sum += 1 + k;
  return sum + 2 * i + 1 + i * 5 % 101 * 5 % 101 - i;
}

int main() {
  const Affine affine{3, -4};
  DeviceArray<int> out(160);
  run<<<2, 80>>>((int*)out, affine);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [=](size_t i) { return reference(int(i), affine); });
  return finish();
}
