// SPDX-License-Identifier: Apache-2.0
// Loops that fold bytes and shorts into one value. clang makes vectors of their turns and reduces
// those at the end; each fold is compared with the same loop of the host.
#include "../check.h"

constexpr int threads = 64;
constexpr int length = 37;

struct Add {
  template <class T> static __host__ __device__ T of(T a, T b) { return T(a + b); }
};
struct Multiply {
  template <class T> static __host__ __device__ T of(T a, T b) { return T(a * (b | 1)); }
};
struct And {
  template <class T> static __host__ __device__ T of(T a, T b) { return T(a & (b | 9)); }
};
struct Or {
  template <class T> static __host__ __device__ T of(T a, T b) { return T(a | (b & 81)); }
};
struct Xor {
  template <class T> static __host__ __device__ T of(T a, T b) { return T(a ^ b); }
};
struct Least {
  template <class T> static __host__ __device__ T of(T a, T b) { return a < b ? a : b; }
};
struct Most {
  template <class T> static __host__ __device__ T of(T a, T b) { return a > b ? a : b; }
};

/// Each thread folds as many values as its number says, up to all of them.
template <class Fold, class T>
__host__ __device__ T folded(T first, const T* __restrict__ values, int thread) {
  const int count = thread % (length + 1);
  for (int i = 0; i < count; ++i)
    first = Fold::of(first, values[i]);
  return first;
}

template <class Fold, class T> __global__ void fold(T* results, const T* __restrict__ values) {
  results[threadIdx.x] = folded<Fold>(results[threadIdx.x], values, threadIdx.x);
}

__global__ void anyAbove(bool* found, const unsigned char* __restrict__ values, int limit) {
  bool any = false;
  for (int i = 0; i < int(threadIdx.x) % (length + 1); ++i)
    any |= values[i] > limit;
  found[threadIdx.x] = any;
}

template <class T> std::vector<T> numbers(int count) {
  std::vector<T> made(count);
  for (int i = 0; i < count; ++i)
    made[i] = T(i * 7919 + i * i * 31 + 5);
  return made;
}

template <class Fold, class T> void check(const char* name) {
  const std::vector<T> values = numbers<T>(length), starts = numbers<T>(threads);
  const DeviceArray<T> device(values), results(starts);
  fold<Fold><<<1, threads>>>(static_cast<T*>(results), static_cast<const T*>(device));
  CHECK_LAUNCH();
  expectArray(name, results.read(),
              [&](size_t i) { return folded<Fold>(starts[i], values.data(), int(i)); });
}

template <class T> void checkOrder() {
  check<Least, T>("least");
  check<Most, T>("most");
}

template <class T> void checkAll() {
  check<Add, T>("sum");
  check<Multiply, T>("product");
  check<And, T>("and");
  check<Or, T>("or");
  check<Xor, T>("xor");
  checkOrder<T>();
}

void checkAny() {
  const std::vector<unsigned char> values = numbers<unsigned char>(length);
  const DeviceArray<unsigned char> device(values);
  const DeviceArray<bool> found(threads);
  anyAbove<<<1, threads>>>(found, device, 250);
  CHECK_LAUNCH();
  bool* any = new bool[threads];
  CHECK_CUDA(cudaMemcpy(any, found, threads, cudaMemcpyDeviceToHost));
  for (int i = 0; i < threads; ++i) {
    bool want = false;
    for (int k = 0; k < i % (length + 1); ++k)
      want |= values[k] > 250;
    expectEqual("any above", int(any[i]), int(want));
  }
  delete[] any;
}

int main() {
  checkAll<unsigned char>();
  checkOrder<signed char>();
  checkOrder<unsigned short>();
  checkAll<short>();
  checkAny();
  return finish();
}
