// SPDX-License-Identifier: Apache-2.0
// COVERS: lambdas, templates
// FLAGS: --extended-lambda
// A forall in the manner of portability layers: lambdas of the host made into kernels.
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <cuda_runtime.h>

#define CUDA_OK(x)                                                                                 \
  if (cudaError_t e = (x)) {                                                                       \
    printf("%s\nFAIL\n", cudaGetErrorString(e));                                                   \
    exit(1);                                                                                       \
  }

template <typename Body> __global__ void forallKernel(int n, Body body) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    body(i);
}

template <int BLOCK = 128, typename Body> void forall(int n, Body&& body) {
  forallKernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(n, body);
  CUDA_OK(cudaGetLastError());
}

template <typename T, typename Map> T reduceOnHost(const T* v, int n, T init, Map map) {
  for (int i = 0; i < n; ++i)
    init = map(init, v[i]);
  return init;
}

struct Grid {
  int nx, ny;
  double* data;
  void relax(double w) {
    Grid g = *this; // this itself is not captured
    forall<64>(nx * ny, [=] __device__(int i) {
      int x = i % g.nx;
      g.data[i] = x == 0 ? 1.0 : g.data[i] * w + x;
    });
  }
};

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  int *v, *hits;
  CUDA_OK(cudaMallocManaged(&v, n * sizeof(int)));
  CUDA_OK(cudaMallocManaged(&hits, sizeof(int)));
  *hits = 0;
  int a = 3, b = -2;
  forall(n, [=] __device__(int i) { v[i] = a * i + b; });
  auto both = [] __host__ __device__(int x) { return x % 7 == 0; };
  forall<256>(n, [=] __device__(int i) {
    if (both(v[i]))
      atomicAdd(hits, 1);
  });
  Grid g = {20, 15, nullptr};
  CUDA_OK(cudaMallocManaged(&g.data, 300 * sizeof(double)));
  for (int i = 0; i < 300; ++i)
    g.data[i] = i;
  g.relax(0.5);
  CUDA_OK(cudaDeviceSynchronize());
  int want = 0;
  for (int i = 0; i < n; ++i)
    want += both(3 * i - 2);
  long long sum = reduceOnHost<int>(v, n, 0, [](int s, int x) { return s + x; });
  bool ok = *hits == want && sum == 3LL * n * (n - 1) / 2 - 2 * n;
  for (int i = 0; i < 300; ++i)
    ok = ok && g.data[i] == (i % 20 == 0 ? 1.0 : i * 0.5 + i % 20);
  cudaFree(v), cudaFree(hits), cudaFree(g.data);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
