// SPDX-License-Identifier: Apache-2.0
// The math functions under C++'s names: float stays float, integers become double, std:: works, min
// and max mix types.
#include <cmath>

#include "../check.h"

template <class Got, class Want> struct IsSame {
  static const bool value = false;
};
template <class T> struct IsSame<T, T> {
  static const bool value = true;
};

__global__ void run(double* out, float x, double y, int i, unsigned u, long long l) {
  static_assert(IsSame<decltype(sin(x)), float>::value, "sin of a float is a float");
  static_assert(IsSame<decltype(std::pow(x, x)), float>::value, "pow of floats is a float");
  static_assert(IsSame<decltype(max(x, y)), double>::value, "the wider type wins");
  static_assert(IsSame<decltype(abs(l)), long long>::value, "abs keeps the type");
  int k = 0;
  out[k++] = sin(x) + cos(x) + std::exp(x) + std::log(x) + pow(x, 2) + pow(x, x);
  out[k++] = fmax(x, 2.75f) + fmin(x, 2.0f) + fmod(x, 0.625f) + atan2(y, y) + hypot(x, x);
  out[k++] = sqrt(y) + exp(y) + floor(x) + std::ceil(x) + round(x) + trunc(x) + rint(x);
  out[k++] = abs(-i) + abs(-l) + abs(-x) + std::abs(-y) + fabs(-x);
  out[k++] = double(max(i, 3)) + min(u, 9u) + max(l, 40ll) + min(x, 1.0f) + max(x, y) + min(u, i) +
             max(i, u);
  out[k++] = fma(x, x, x) + cbrt(x) + log2(x) + log1p(x) + erf(x) + tgamma(x) + rsqrt(x) + exp2(x);
  out[k++] = isnan(x) + isinf(y) + (std::isfinite(x) ? 1 : 0) + (signbit(-x) ? 1 : 0);
}

int main() {
  const float x = 1.5f;
  const double y = 2.75;
  const int i = 5;
  const unsigned u = 7;
  const long long l = 123456789012ll;
  DeviceArray<double> out(7);
  run<<<1, 1>>>(out, x, y, i, u, l);
  CHECK_LAUNCH();
  const double d = x;
  const double want[7] = {std::sin(d) + std::cos(d) + std::exp(d) + std::log(d) + d * d +
                              std::pow(d, d),
                          2.75 + 1.5 + std::fmod(d, 0.625) + std::atan2(y, y) + std::hypot(d, d),
                          std::sqrt(y) + std::exp(y) + 1 + 2 + 2 + 1 + 2,
                          5.0 + double(l) + 1.5 + y + 1.5,
                          5.0 + 7 + double(l) + 1 + y + 5 + 7,
                          d * d + d + std::cbrt(d) + std::log2(d) + std::log1p(d) + std::erf(d) +
                              std::tgamma(d) + 1 / std::sqrt(d) + std::exp2(d),
                          0 + 0 + 1 + 1};
  const std::vector<double> got = out.read();
  for (int k = 0; k < 7; ++k)
    expectNear("sum " + std::to_string(k), got[k], want[k], 2e-6);
  return finish();
}
