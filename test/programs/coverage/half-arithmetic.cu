// SPDX-License-Identifier: Apache-2.0
// COVERS: half, half: arithmetic
// The operators of __half on pairs: sums, differences and products are the float results rounded
// once; quotients are within one unit. Arguments: pairs.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_fp16.h>

#define CK(x) check((x), __LINE__)
static void check(cudaError_t e, int line) {
  if (e != cudaSuccess) {
    printf("CUDA error %s at line %d\nFAIL\n", cudaGetErrorString(e), line);
    exit(1);
  }
}

struct Results {
  __half sum, difference, product, quotient, negated, magnitude, fused, saturated;
};

__global__ void compute(const __half* a, const __half* b, Results* r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half x = a[i], y = b[i];
  r[i].sum = x + y;
  r[i].difference = x - y;
  r[i].product = x * y;
  r[i].quotient = x / y;
  r[i].negated = -x;
  r[i].magnitude = __habs(x);
  r[i].fused = __hfma(x, y, x);
  r[i].saturated = __hadd_sat(x, y);
}

__global__ void assignments(__half* v) {
  __half x = v[0];
  x += __float2half(1.5f);
  x *= __float2half(4.0f);
  x -= __float2half(2.0f);
  x /= __float2half(8.0f);
  ++x;
  x--;
  v[1] = x;
}

static int errors = 0;
static void expect(const char* what, int i, __half got, double want, int units) {
  double g = __half2float(got);
  if (std::isnan(want) && std::isnan(g))
    return;
  if (g == want)
    return;
  int e;
  frexp(want, &e);
  double unit = ldexp(1.0, e - 11 < -24 ? -24 : e - 11);
  if (units && fabs(g - want) <= units * unit)
    return;
  if (errors++ < 8)
    printf("%s of pair %d is %g, expected %g\n", what, i, g, want);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4096;
  std::vector<__half> a(n), b(n);
  unsigned state = 12345;
  auto next = [&] {
    state = state * 1664525u + 1013904223u;
    int exponent = (int)(state >> 28) - 8;
    float x = ldexpf((float)((int)(state >> 8 & 0xfffff) - 0x80000) / 0x80000, exponent);
    return __float2half(x);
  };
  for (int i = 0; i < n; ++i) {
    a[i] = next();
    b[i] = next();
    if (__half2float(b[i]) == 0)
      b[i] = __float2half(1.0f);
  }
  __half *da, *db;
  Results* dr;
  CK(cudaMalloc(&da, n * sizeof(__half)));
  CK(cudaMalloc(&db, n * sizeof(__half)));
  CK(cudaMalloc(&dr, n * sizeof(Results)));
  CK(cudaMemcpy(da, a.data(), n * sizeof(__half), cudaMemcpyHostToDevice));
  CK(cudaMemcpy(db, b.data(), n * sizeof(__half), cudaMemcpyHostToDevice));
  compute<<<(n + 127) / 128, 128>>>(da, db, dr, n);
  CK(cudaGetLastError());
  std::vector<Results> r(n);
  CK(cudaMemcpy(r.data(), dr, n * sizeof(Results), cudaMemcpyDeviceToHost));
  auto rounded = [](double x) { return (double)__half2float(__float2half((float)x)); };
  for (int i = 0; i < n; ++i) {
    double x = __half2float(a[i]), y = __half2float(b[i]);
    expect("sum", i, r[i].sum, rounded(x + y), 0);
    expect("difference", i, r[i].difference, rounded(x - y), 0);
    expect("product", i, r[i].product, rounded(x * y), 0);
    expect("quotient", i, r[i].quotient, rounded(x / y), 1);
    expect("negated", i, r[i].negated, -x, 0);
    expect("magnitude", i, r[i].magnitude, fabs(x), 0);
    expect("fused", i, r[i].fused, rounded(x * y + x), 1);
    expect("saturated", i, r[i].saturated, std::fmin(1.0, std::fmax(0.0, rounded(x + y))), 0);
  }
  __half start[2] = {__float2half(0.5f), __float2half(0.0f)};
  CK(cudaMemcpy(da, start, sizeof start, cudaMemcpyHostToDevice));
  assignments<<<1, 1>>>(da);
  CK(cudaMemcpy(start, da, sizeof start, cudaMemcpyDeviceToHost));
  expect("assigned", 0, start[1], 0.75, 0);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dr);
  puts(errors ? "FAIL" : "PASS");
  return errors ? EXIT_FAILURE : EXIT_SUCCESS;
}
