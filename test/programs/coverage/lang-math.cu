// SPDX-License-Identifier: Apache-2.0
// COVERS: math functions, fast math intrinsics, double
// Functions of math.h in float and double against the host's double ones, within a few units.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// name, for arguments from 0.1 to about 2
#define FUNCTIONS(F)                                                                               \
  F(sqrt)                                                                                          \
  F(exp) F(log) F(sin) F(cos) F(tan) F(atan) F(sinh) F(cosh) F(tanh) F(exp2) F(log2) F(log10)      \
      F(cbrt) F(erf) F(erfc) F(tgamma) F(lgamma) F(floor) F(ceil) F(rint) F(trunc) F(round)        \
          F(fabs) F(expm1) F(log1p) F(asinh)
enum {
#define F(f) f##_,
  FUNCTIONS(F)
#undef F
      COUNT
};
static const char* names[] = {
#define F(f) #f,
    FUNCTIONS(F)
#undef F
};

__global__ void compute(const double* x, int n, float* s, double* d, float* extra) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  float f = (float)v;
#define F(g)                                                                                       \
  s[g##_ * n + i] = g##f(f);                                                                       \
  d[g##_ * n + i] = g(v);
  FUNCTIONS(F)
#undef F
  float sn, cs, fast, fastCos;
  sincosf(f, &sn, &cs);
  __sincosf(f, &fast, &fastCos);
  float* e = extra + 8 * i;
  e[0] = sn * sn + cs * cs;
  e[1] = __expf(f) / expf(f);
  e[2] = __logf(f + 3.0f) / logf(f + 3.0f);
  e[3] = __fdividef(f, 3.0f) * 3.0f / f;
  e[4] = rsqrtf(f) * sqrtf(f);
  e[5] = powf(f, 2.5f) / (f * f * sqrtf(f));
  e[6] = fmodf(f * 10, 3.0f) + 3.0f * floorf(f * 10 / 3.0f) - f * 10 + 1.0f;
  e[7] = fmaxf(hypotf(f, 2 * f) / (f * 2.2360680f),
               fminf(__powf(f, 2.0f) / (f * f), copysignf(1.0f, fast * fastCos)));
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 200, bad = 0;
  double *x, *d;
  float *s, *extra;
  if (cudaMallocManaged(&x, n * 8) || cudaMallocManaged(&d, n * COUNT * 8) ||
      cudaMallocManaged(&s, n * COUNT * 4) || cudaMallocManaged(&extra, n * 32))
    return puts("FAIL"), 1;
  for (int i = 0; i < n; ++i)
    x[i] = (float)(0.1 + 1.43 * i / n);
  compute<<<(n + 63) / 64, 64>>>(x, n, s, d, extra);
  cudaError_t e = cudaDeviceSynchronize();
  bad += e != cudaSuccess;
  for (int i = 0; i < n; ++i) {
    double want[COUNT] = {
#define F(f) std::f(x[i]),
        FUNCTIONS(F)
#undef F
    };
    for (int k = 0; k < COUNT; ++k) {
      double single = std::fabs(s[k * n + i] - want[k]), wide = std::fabs(d[k * n + i] - want[k]);
      if ((single > 2e-6 * std::fabs(want[k]) + 1e-6 ||
           wide > 1e-14 * std::fabs(want[k]) + 1e-14) &&
          bad++ < 8)
        printf("%s(%g) = %.9g and %.17g, expected %.17g\n", names[k], x[i], s[k * n + i],
               d[k * n + i], want[k]);
    }
    for (int k = 0; k < 8; ++k)
      if (std::fabs(extra[8 * i + k] - 1) > 1e-4 && bad++ < 8)
        printf("ratio %d at %g is %g\n", k, x[i], extra[8 * i + k]);
  }
  cudaFree(x), cudaFree(d), cudaFree(s), cudaFree(extra);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
