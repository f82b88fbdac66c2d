// SPDX-License-Identifier: Apache-2.0
// FLAGS: --extended-lambda
// Lambdas that name constants of the function around them. nvcc captures these, clang does not: what
// else they capture must be read where the host has put it, whoever compiles which side.
#include "../check.h"

template <class F> __global__ void each(F f) {
  f(int(threadIdx.x));
}

template <class T> void inTemplate(T* out) {
  constexpr int most = 5;
  T value = 7;
  each<<<1, 32>>>([=] __device__(int i) { out[i] = i < most ? value : T(-1); });
}

void inFunction(int* out) {
  constexpr int most = 3;
  const int more = 6;
  int value = 9;
  each<<<1, 32>>>([=] __device__(int i) { out[i] = i < most + more ? value : -2; });
}

void byName(int* out) {
  constexpr int most = 3;
  int value = 11;
  each<<<1, 32>>>([out, value] __device__(int i) { out[i] = i < most ? value : -3; });
}

int main() {
  DeviceArray<int> out(32);
  inTemplate<int>(out);
  CHECK_LAUNCH();
  expectArray("in a template", out.read(), [](size_t i) { return i < 5 ? 7 : -1; });
  inFunction(out);
  CHECK_LAUNCH();
  expectArray("in a function", out.read(), [](size_t i) { return i < 9 ? 9 : -2; });
  byName(out);
  CHECK_LAUNCH();
  expectArray("by name", out.read(), [](size_t i) { return i < 3 ? 11 : -3; });
  return finish();
}
