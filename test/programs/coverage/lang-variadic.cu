// SPDX-License-Identifier: Apache-2.0
// COVERS: variadic templates, templates
// Kernels of any number of arrays: packs, folds, a recursive tuple, and index sequences.
#include <cstdio>
#include <cstdlib>
#include <utility>

template <typename... Ts> struct Tuple;
template <> struct Tuple<> {};
template <typename T, typename... Rest> struct Tuple<T, Rest...> {
  T head;
  Tuple<Rest...> tail;
};
template <int I, typename T, typename... Rest> __host__ __device__ auto& get(Tuple<T, Rest...>& t) {
  if constexpr (I == 0)
    return t.head;
  else
    return get<I - 1>(t.tail);
}

template <typename Out, typename... In> __global__ void sumOf(int n, Out* out, const In*... in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (Out(0) + ... + static_cast<Out>(in[i]));
}

template <typename... Ts, size_t... I>
__device__ double total(Tuple<Ts...>& t, std::index_sequence<I...>) {
  return ((get<I>(t) * (I + 1)) + ...);
}

template <typename... Ts> __global__ void weigh(Tuple<Ts...> t, double* out) {
  get<0>(t) += threadIdx.x;
  out[threadIdx.x] = total(t, std::make_index_sequence<sizeof...(Ts)>());
}

template <typename... F> __device__ int applyAll(int x, F... f) {
  int r = x;
  ((r = f(r)), ...);
  return r;
}

__global__ void chain(int* out) {
  out[threadIdx.x] = applyAll(
      threadIdx.x, [](int v) { return v + 1; }, [](int v) { return v * v; },
      [](int v) { return v % 10; });
}

template <typename... Args>
void launch(void (*kernel)(Args...), int blocks, int threads, Args... args) {
  kernel<<<blocks, threads>>>(args...);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 300;
  int *a, *c;
  short* b;
  double* out;
  if (cudaMallocManaged(&a, n * 4) || cudaMallocManaged(&b, n * 2) ||
      cudaMallocManaged(&out, n * 8) || cudaMallocManaged(&c, 32 * 4))
    return puts("FAIL"), 1;
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = (short)-(i / 2);
  }
  launch<int, double*, const int*, const short*, const int*>(sumOf<double, int, short, int>,
                                                             (n + 63) / 64, 64, n, out, a, b, a);
  int bad = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < n; ++i)
    bad += out[i] != 2 * i - i / 2;
  Tuple<int, float, double> t = {1, {2.5f, {4.0, {}}}};
  weigh<<<1, 32>>>(t, out);
  chain<<<1, 32>>>(c);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < 32; ++i)
    bad += out[i] != 1 + i + 5.0 + 12.0 || c[i] != (i + 1) * (i + 1) % 10;
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(out);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
