// SPDX-License-Identifier: Apache-2.0
// Trap 6: float overloads of fmax, trunc, log2, fma, erf, round and others are declared by the
// compiler's headers and defined by the toolkit only; so are sincos, rsqrt and normcdf of a float,
// and min and max of mixed types.
#include "../check.h"

__global__ void run(float* out, const float* in, int i, unsigned u, long long l) {
  const float x = in[0], y = in[1];
  const float values[] = {
      fmax(x, y),      fmin(x, y), trunc(x),    log2(x),         fma(x, y, x), erf(x),
      round(x),        rsqrt(x),   normcdf(x),  cbrt(x),         hypot(x, y),  exp2(x),
      log1p(x),        tgamma(x),  lgamma(y),   copysign(x, -y), fdim(y, x),   remainder(y, x),
      nextafter(x, y), rint(y),    expm1(x),    asinh(x),        acosh(y),     atanh(x / y),
      erfc(x),         logb(y),    nearbyint(y)};
  const int count = sizeof values / sizeof *values;
  for (int k = 0; k < count; ++k)
    out[k] = values[k];
  sincos(x, &out[count], &out[count + 1]);
  out[count + 2] = float(min(i, int(u)) + max(u, 3u) + int(min(l, 5ll)));
  out[count + 3] = float(max(x, 2.0) + min(3.0, y)); // float with double
  out[count + 4] = float(ilogb(y) + lrint(y) + llround(x) + lround(y) + llrint(x));
  int quotient = 0;
  out[count + 5] = remquo(y, x, &quotient) + float(quotient) + scalbn(x, 3) + ldexp(y, 2);
}

int main() {
  const float x = 1.3f, y = 2.7f;
  DeviceArray<float> in(std::vector<float>{x, y}), out(33);
  run<<<1, 1>>>(out, in, -4, 9u, 77ll);
  CHECK_LAUNCH();
  const double a = x, b = y, q = std::nearbyint(b / a);
  const double want[33] = {b,
                           a,
                           1,
                           std::log2(a),
                           a * b + a,
                           std::erf(a),
                           1,
                           1 / std::sqrt(a),
                           0.5 * std::erfc(-a * M_SQRT1_2),
                           std::cbrt(a),
                           std::hypot(a, b),
                           std::exp2(a),
                           std::log1p(a),
                           std::tgamma(a),
                           std::lgamma(b),
                           -a,
                           b - a,
                           std::remainder(b, a),
                           std::nextafter(x, y),
                           3,
                           std::expm1(a),
                           std::asinh(a),
                           std::acosh(b),
                           std::atanh(a / b),
                           std::erfc(a),
                           1,
                           3,
                           std::sin(a),
                           std::cos(a),
                           -4 + 9 + 5,
                           2.0 + b,
                           1 + 3 + 1 + 3 + 1,
                           std::remainder(b, a) + q + 8 * a + 4 * b};
  const std::vector<float> got = out.read();
  for (int k = 0; k < 33; ++k)
    expectNear("value " + std::to_string(k), got[k], want[k], 2e-6);
  return finish();
}
