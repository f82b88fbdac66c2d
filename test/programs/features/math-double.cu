// SPDX-License-Identifier: Apache-2.0
// The double-precision math library, functions of one argument, against the host's.
#include "../check.h"

// function, reference, input (x: -3 to 3, u: -1 to 1, p: above 0), error in units of 2^-52 of the
// result
#define FUNCTIONS(F)                                                                               \
  F(sin, std::sin, x, 4)                                                                           \
  F(cos, std::cos, x, 4)                                                                           \
  F(tan, std::tan, x, 8)                                                                           \
  F(asin, std::asin, u, 6)                                                                         \
  F(acos, std::acos, u, 6)                                                                         \
  F(atan, std::atan, x, 6) F(sinh, std::sinh, x, 6) F(cosh, std::cosh, x, 6)                       \
      F(tanh, std::tanh, x, 6) F(asinh, std::asinh, x, 6) F(acosh, std::acosh, 1 + p, 8)           \
          F(atanh, std::atanh, u, 6) F(exp, std::exp, x, 4) F(exp2, std::exp2, x, 4)               \
              F(exp10, exp10Of, x, 16) F(expm1, std::expm1, x, 4) F(log, std::log, p, 4) F(        \
                  log2, std::log2, p, 4) F(log10, std::log10, p, 4) F(log1p, std::log1p, p, 4)     \
                  F(logb, std::logb, p, 0) F(sqrt, std::sqrt, p, 0) F(rsqrt, rsqrtOf, p, 4)        \
                      F(cbrt, std::cbrt, x, 4) F(rcbrt, rcbrtOf, p, 6) F(floor, std::floor, x, 0)  \
                          F(ceil, std::ceil, x, 0) F(trunc, std::trunc, x, 0)                      \
                              F(round, std::round, x, 0) F(rint, std::rint, x, 0)                  \
                                  F(nearbyint, std::nearbyint, x, 0) F(fabs, std::fabs, x, 0)      \
                                      F(erf, std::erf, x, 8) F(erfc, std::erfc, x, 16) F(          \
                                          erfcx, erfcxOf, p, 400) F(tgamma, std::tgamma, p, 32)    \
                                          F(lgamma, std::lgamma, p, 32) F(sinpi, sinpiOf, u, 16)   \
                                              F(cospi, cospiOf, u, 8)                              \
                                                  F(normcdf, normcdfOf, x, 32) F(j0, ::j0, p, 400) \
                                                      F(j1, ::j1, p, 400) F(y0, ::y0, p, 400)      \
                                                          F(y1, ::y1, p, 400) F(cyl_bessel_i0,     \
                                                                                besselI0, x, 64)   \
                                                              F(cyl_bessel_i1, besselI1, x, 64)

double exp10Of(double x) {
  return double(powl(10.0L, (long double)x));
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
double besselSeries(double x, int order) {
  double term = order ? x / 2 : 1.0, sum = term;
  for (int k = 1; k < 60; ++k)
    sum += term *= x * x / 4 / k / (k + order);
  return sum;
}
double besselI0(double x) {
  return besselSeries(x, 0);
}
double besselI1(double x) {
  return besselSeries(x, 1);
}

__global__ void run(const double* in, double* out, int functions) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double x = in[3 * i], u = in[3 * i + 1], p = in[3 * i + 2];
  double* mine = out + i * functions;
#define ON_DEVICE(name, reference, argument, units) *mine++ = name(argument);
  FUNCTIONS(ON_DEVICE)
}

int main() {
  const int n = 128;
  int functions = 0;
#define COUNT(name, reference, argument, units) ++functions;
  FUNCTIONS(COUNT)
  std::vector<double> in(3 * n);
  for (int i = 0; i < n; ++i) {
    in[3 * i] = (i - n / 2) * 0.046875;
    in[3 * i + 1] = (i - n / 2 + 0.5) / (n / 2);
    in[3 * i + 2] = 0.0625 + i * 0.0625;
  }
  DeviceArray<double> device(in), out(n * functions);
  run<<<4, n / 4>>>(device, out, functions);
  CHECK_LAUNCH();
  const std::vector<double> got = out.read();
  for (int i = 0; i < n; ++i) {
    const double x = in[3 * i], u = in[3 * i + 1], p = in[3 * i + 2];
    const double* mine = &got[i * functions];
#define ON_HOST(name, reference, argument, units)                                                  \
  expectNear(std::string(#name) + "(" + text<double>(argument) + ")", *mine++,                     \
             reference(argument), units * 0x1p-52, units * 0x1p-54);
    FUNCTIONS(ON_HOST)
  }
  return finish();
}
