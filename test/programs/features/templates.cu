// SPDX-License-Identifier: Apache-2.0
// Kernels and classes as templates: over types, numbers and functors, with specialisations and if
// constexpr.
#include "../check.h"

struct Plus {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
struct Larger {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <class T> struct Traits {
  static __host__ __device__ T zero() { return T(0); }
};
template <> struct Traits<short> {
  static __host__ __device__ short zero() { return -32768; }
};

template <class T, int N> struct Window {
  T values[N];
  template <class F> __host__ __device__ T fold(F f) const {
    T result = Traits<T>::zero();
#pragma unroll
    for (int i = 0; i < N; ++i)
      result = f(result, values[i]);
    if constexpr (N % 2 == 1)
      result = T(result + 1);
    return result;
  }
};

template <class T, int N, class F> __host__ __device__ T valueAt(int i, F f) {
  Window<T, N> window;
  for (int k = 0; k < N; ++k)
    window.values[k] = T((i * (k + 3)) % 17);
  return window.fold(f);
}

template <class T, int N, class F> __global__ void fold(T* out, int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = valueAt<T, N>(i, f);
}

template <class T, int N, class F> void check(const char* what, F f) {
  DeviceArray<T> out(100);
  fold<T, N><<<4, 32>>>((T*)out, 100, f);
  CHECK_LAUNCH();
  expectArray(what, out.read(), [=](size_t i) { return valueAt<T, N>(int(i), f); });
}

int main() {
  check<int, 4>("int", Plus());
  check<float, 7>("float", Larger());
  check<double, 16>("double", Plus());
  check<short, 3>("short", Larger());
  check<unsigned long long, 1>("unsigned long long", Plus());
  return finish();
}
