// SPDX-License-Identifier: Apache-2.0
// The single-precision math library, functions of one argument, against the host's double
// precision.
#include "../check.h"

// function, reference in double, input (x: -3 to 3, u: -1 to 1, p: above 0), error in units of
// 2^-23 of the result
#define FUNCTIONS(F)                                                                               \
  F(sinf, sin, x, 4)                                                                               \
  F(cosf, cos, x, 4)                                                                               \
  F(tanf, tan, x, 8)                                                                               \
  F(asinf, asin, u, 6)                                                                             \
  F(acosf, acos, u, 6)                                                                             \
  F(atanf, atan, x, 6) F(sinhf, sinh, x, 6) F(coshf, cosh, x, 6) F(tanhf, tanh, x, 6)              \
      F(asinhf, asinh, x, 6) F(acoshf, acosh, 1 + p, 8) F(atanhf, atanh, u, 6) F(expf, exp, x, 4)  \
          F(exp2f, exp2, x, 4) F(exp10f, exp10Of, x, 6) F(expm1f, expm1, x, 4) F(logf, log, p, 4)  \
              F(log2f, log2, p, 4) F(log10f, log10, p, 4) F(log1pf, log1p, p, 4)                   \
                  F(logbf, logb, p, 0) F(sqrtf, sqrt, p, 2) F(rsqrtf, rsqrtOf, p, 4)               \
                      F(cbrtf, cbrt, x, 4) F(rcbrtf, rcbrtOf, p, 4) F(floorf, floor, x, 0)         \
                          F(ceilf, ceil, x, 0) F(truncf, trunc, x, 0) F(roundf, round, x, 0)       \
                              F(rintf, rint, x, 0) F(nearbyintf, nearbyint, x, 0)                  \
                                  F(fabsf, fabs, x, 0) F(erff, erf, x, 4) F(erfcf, erfc, x, 12)    \
                                      F(erfcxf, erfcxOf, p, 16) F(tgammaf, tgamma, p, 16)          \
                                          F(lgammaf, lgamma, p, 16) F(sinpif, sinpiOf, u, 4)       \
                                              F(cospif, cospiOf, u, 4)                             \
                                                  F(normcdff, normcdfOf, x, 12) F(j0f, j0, p, 40)  \
                                                      F(j1f, j1, p, 40) F(y0f, y0, p, 40)          \
                                                          F(y1f, y1, p, 40)

double exp10Of(double x) {
  return std::pow(10.0, x);
}
double rsqrtOf(double x) {
  return 1 / std::sqrt(x);
}
double rcbrtOf(double x) {
  return 1 / std::cbrt(x);
}
double erfcxOf(double x) {
  return std::exp(x * x) * std::erfc(x);
}
double sinpiOf(double x) {
  return std::sin(M_PI * x);
}
double cospiOf(double x) {
  return std::sin(M_PI * (0.5 - std::fabs(x)));
}
double normcdfOf(double x) {
  return 0.5 * std::erfc(-x * M_SQRT1_2);
}

__global__ void run(const float* in, float* out, int functions) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[3 * i], u = in[3 * i + 1], p = in[3 * i + 2];
  float* mine = out + i * functions;
#define ON_DEVICE(name, reference, argument, units) *mine++ = name(argument);
  FUNCTIONS(ON_DEVICE)
}

int main() {
  const int n = 128;
  int functions = 0;
#define COUNT(name, reference, argument, units) ++functions;
  FUNCTIONS(COUNT)
  std::vector<float> in(3 * n);
  for (int i = 0; i < n; ++i) {
    in[3 * i] = float(i - n / 2) * 0.046875f;
    in[3 * i + 1] = float(i - n / 2 + 0.5f) / float(n / 2);
    in[3 * i + 2] = 0.0625f + float(i) * 0.0625f;
  }
  DeviceArray<float> device(in), out(n * functions);
  run<<<4, n / 4>>>(device, out, functions);
  CHECK_LAUNCH();
  const std::vector<float> got = out.read();
  for (int i = 0; i < n; ++i) {
    const float x = in[3 * i], u = in[3 * i + 1], p = in[3 * i + 2];
    const float* mine = &got[i * functions];
#define ON_HOST(name, reference, argument, units)                                                  \
  expectNear(std::string(#name) + "(" + text<float>(argument) + ")", *mine++,                      \
             reference(double(argument)), units * 0x1p-23, units * 0x1p-25);
    FUNCTIONS(ON_HOST)
  }
  return finish();
}
