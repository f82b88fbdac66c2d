// SPDX-License-Identifier: Apache-2.0
// COVERS: cuda::std, libcu++
// Parts of the standard library for the device: array, tuple, optional-like pairs, limits,
// functional, chrono.
#include <cstdio>
#include <cstdlib>

#include <cuda/std/array>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

namespace cs = cuda::std;

template <typename T> __host__ __device__ cs::pair<T, T> extremes(const cs::array<T, 8>& v) {
  cs::pair<T, T> r{cs::numeric_limits<T>::max(), cs::numeric_limits<T>::lowest()};
  for (const T& x : v) {
    r.first = x < r.first ? x : r.first;
    r.second = x > r.second ? x : r.second;
  }
  return r;
}

template <typename F> __host__ __device__ int fold(const cs::array<int, 8>& v, int start, F f) {
  for (int x : v)
    start = f(start, x);
  return start;
}

__host__ __device__ int compute(int seed) {
  cs::array<int, 8> v{};
  for (cs::size_t i = 0; i < v.size(); ++i)
    v[i] = (seed * 31 + (int)i * 17) % 23;
  auto e = extremes(v);
  auto t = cs::make_tuple(fold(v, 0, cs::plus<int>()),
                          fold(v, 1, [](int a, int b) { return (a * (b + 1)) % 1009; }), e);
  static_assert(cs::is_same<decltype(cs::get<0>(t)), int&>::value, "a tuple of int");
  cs::int64_t wide = cs::numeric_limits<cs::int32_t>::max();
  int a = 1, b = 2;
  cs::swap(a, b);
  return cs::get<0>(t) + cs::get<1>(t) * 100 + cs::get<2>(t).first * 7 - cs::get<2>(t).second +
         (int)(wide >> 30) + a * 10 + b;
}

__global__ void run(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = compute(i);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 400, *out;
  if (cudaMallocManaged(&out, n * sizeof(int)) != cudaSuccess)
    return puts("FAIL"), 1;
  run<<<(n + 127) / 128, 128>>>(out, n);
  int bad = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < n; ++i)
    bad += out[i] != compute(i);
  cudaFree(out);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
