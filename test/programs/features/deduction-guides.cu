// SPDX-License-Identifier: Apache-2.0
// Template arguments of classes that follow from deduction guides, in device code: the program's
// own guides, also those of visitors, and those of the standard library.
// FLAGS: -std c++17
#include <array>
#include <cstdio>
#include <tuple>
#include <utility>

template <class A, class B> struct Two {
  A a;
  B b;
};
template <class A, class B> Two(A, B) -> Two<A, B>;

template <class... F> struct Overloaded : F... {
  using F::operator()...;
};
template <class... F> Overloaded(F...) -> Overloaded<F...>;

template <class T> struct Box {
  T value;
  __host__ __device__ explicit Box(T v) : value(v) {}
};

__global__ void deduce(int* out) {
  const int i = threadIdx.x;
  Two two{i, 0.5f};
  Box box(i * 2);
  const Overloaded pick{[](int x) { return x + 1; }, [](float x) { return int(x * 4); }};
  std::pair pair(i, 1);
  std::tuple tuple{i, 2.5f};
  std::array array{i, i + 1, i + 2};
  out[i] = two.a + box.value + pick(i) + pick(two.b) + pair.second + int(std::get<1>(tuple)) +
           array[2];
}

int main() {
  int *out = nullptr, host[64], wrong = 0;
  cudaMalloc(&out, sizeof host);
  deduce<<<1, 64>>>(out);
  const bool fine = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < 64; ++i)
    wrong += host[i] != i + 2 * i + i + 1 + 2 + 1 + 2 + i + 2;
  std::printf("%d wrong\n%s\n", wrong, fine && wrong == 0 ? "PASS" : "FAIL");
  cudaFree(out);
  return fine && wrong == 0 ? 0 : 1;
}
