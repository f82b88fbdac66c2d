// SPDX-License-Identifier: Apache-2.0
//
// The functions of libdevice that the C library lacks. Those of double are computed in long double
// (64 bits of mantissa on x86-64, 113 on arm64) and rounded once, those of float in double, so all
// are well inside the errors CUDA documents:
//
//   erfcx, erfinv, erfcinv, normcdf, normcdfinv     from erf and erfc, by Newton's method
//   cyl_bessel_i0, cyl_bessel_i1                    their power series: no term is negative
//   sinpi, cospi                                    after an exact reduction of the argument
//   norms of 2, 3 and 4 numbers, and 1 over them    no overflow on the way, thanks to the range
#include "engine/ScalarMathTable.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace heddle::engine {
namespace {

using Real = long double;

constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real pi = std::numbers::pi_v<Real>;
constexpr Real inverseRootPi = std::numbers::inv_sqrtpi_v<Real>;

/// exp(x^2) erfc(x). Above 10 by the asymptotic series, whose terms fall below any rounding error
/// long before they grow again; below, the part of x^2 that is rounded off is put back.
Real scaledErfc(Real x) {
  if (x < -30) // far beyond the largest double
    return infinity;
  if (x < 10) {
    const Real square = x * x;
    const Real rest = std::fma(x, x, -square);
    return std::exp(square) * (1 + rest) * std::erfc(x);
  }
  const Real inverse = 1 / (2 * x * x);
  Real term = 1, sum = 1;
  for (int n = 1; n < 50 && std::abs(term) > 1e-22L; ++n) {
    term *= -(2 * n - 1) * inverse;
    sum += term;
  }
  return inverseRootPi / x * sum;
}

/// erf(y) = x for |x| <= 1/2.
Real solveErf(Real x) {
  Real y = x / (2 * inverseRootPi);
  for (int round = 0; round < 8; ++round) {
    const Real step = (std::erf(y) - x) * std::exp(y * y) / (2 * inverseRootPi);
    y -= step;
    if (std::abs(step) <= std::abs(y) * 1e-19L)
      break;
  }
  return y;
}

/// erfc(y) = z for 0 < z < 1/2. Newton's method on log erfc, which is concave and falls: from the
/// second round on it comes down on the root, from wherever it began.
Real solveErfc(Real z) {
  const Real target = std::log(z);
  Real y = std::sqrt(-target);
  for (int round = 0; round < 20; ++round) {
    const Real scaled = scaledErfc(y);
    const Real step = (std::log(scaled) - y * y - target) * scaled / (2 * inverseRootPi);
    y += step;
    if (std::abs(step) <= y * 1e-19L)
      break;
  }
  return y;
}

/// Of a number z = 1 - x with 0 <= z <= 2, given whichever of the two is exact.
Real inverseErfc(Real z) {
  if (std::isnan(z) || z < 0 || z > 2)
    return nan;
  if (z == 0 || z == 2)
    return z == 0 ? infinity : -infinity;
  if (z >= 0.5L && z <= 1.5L)
    return solveErf(1 - z);
  return z < 1 ? solveErfc(z) : -solveErfc(2 - z);
}

Real inverseErf(Real x) {
  return std::abs(x) <= 0.5L ? solveErf(x) : inverseErfc(1 - x);
}

Real normalCdf(Real x) {
  return std::erfc(-x / std::numbers::sqrt2_v<Real>) / 2;
}

Real inverseNormalCdf(Real p) {
  return -std::numbers::sqrt2_v<Real> * inverseErfc(2 * p);
}

/// I0 and I1: sum of (x/2)^(2k + order) / (k! (k + order)!).
template <int order> Real modifiedBessel(Real x) {
  const Real half = x / 2;
  Real term = order == 0 ? 1 : half;
  if (std::abs(x) > 1000) // far beyond the largest double
    return term * infinity;
  Real sum = term;
  for (int k = 1; std::abs(term) > std::abs(sum) * 1e-21L; ++k) {
    term *= half / k * (half / (k + order));
    sum += term;
  }
  return sum;
}

/// x = 2 m + quadrant / 2 + rest, with |rest| <= 1/4; each step is exact.
struct HalfTurns {
  explicit HalfTurns(Real x) {
    const Real turn = std::remainder(x, Real(2));
    const Real nearest = std::nearbyint(2 * turn);
    quadrant = static_cast<int>(nearest) & 3;
    rest = turn - nearest / 2;
  }
  int quadrant;
  Real rest;
};

Real sineAt(int quadrant, Real rest) {
  const Real angle = pi * rest;
  const Real value = quadrant % 2 == 0 ? std::sin(angle) : std::cos(angle);
  return quadrant < 2 ? value : -value;
}

Real sinePi(Real x) {
  if (!std::isfinite(x))
    return nan;
  const HalfTurns turns(x);
  const Real sine = sineAt(turns.quadrant, turns.rest);
  return sine == 0 ? std::copysign(Real(0), x) : sine;
}

Real cosinePi(Real x) {
  if (!std::isfinite(x))
    return nan;
  const HalfTurns turns(x);
  return sineAt((turns.quadrant + 1) & 3, turns.rest) + 0; // never -0
}

/// Infinite where any of the numbers is, even beside a NaN.
template <class Wide, class... Numbers> Wide norm(Numbers... numbers) {
  if ((std::isinf(numbers) || ...))
    return Wide(infinity);
  return std::sqrt(((Wide(numbers) * Wide(numbers)) + ...));
}

template <class Wide, class Number> Number norm3(Number a, Number b, Number c) {
  return Number(norm<Wide>(a, b, c));
}
template <class Wide, class Number> Number norm4(Number a, Number b, Number c, Number d) {
  return Number(norm<Wide>(a, b, c, d));
}
template <class Wide, class Number> Number inverseNorm2(Number a, Number b) {
  return Number(1 / norm<Wide>(a, b));
}
template <class Wide, class Number> Number inverseNorm3(Number a, Number b, Number c) {
  return Number(1 / norm<Wide>(a, b, c));
}
template <class Wide, class Number> Number inverseNorm4(Number a, Number b, Number c, Number d) {
  return Number(1 / norm<Wide>(a, b, c, d));
}

Real inverseCubeRoot(Real x) {
  return 1 / std::cbrt(x);
}

/// A function of long double as one of double or float.
template <Real (*function)(Real), class Number> Number of(Number x) {
  return static_cast<Number>(function(x));
}

} // namespace

std::span<const ScalarEntry> specialMath() {
#define HEDDLE_BOTH(name, function)                                                                \
  ScalarEntry{"__nv_" name, of<function, double>}, ScalarEntry {                                   \
    "__nv_" name "f", of<function, float>                                                          \
  }
#define HEDDLE_NORM(name, function)                                                                \
  ScalarEntry{"__nv_" name, function<Real, double>}, ScalarEntry {                                 \
    "__nv_" name "f", function<double, float>                                                      \
  }
  static const ScalarEntry entries[] = {
      HEDDLE_BOTH("cospi", cosinePi),
      HEDDLE_BOTH("cyl_bessel_i0", modifiedBessel<0>),
      HEDDLE_BOTH("cyl_bessel_i1", modifiedBessel<1>),
      HEDDLE_BOTH("erfcinv", inverseErfc),
      HEDDLE_BOTH("erfcx", scaledErfc),
      HEDDLE_BOTH("erfinv", inverseErf),
      HEDDLE_BOTH("normcdf", normalCdf),
      HEDDLE_BOTH("normcdfinv", inverseNormalCdf),
      HEDDLE_BOTH("rcbrt", inverseCubeRoot),
      HEDDLE_BOTH("sinpi", sinePi),
      HEDDLE_NORM("norm3d", norm3),
      HEDDLE_NORM("norm4d", norm4),
      HEDDLE_NORM("rhypot", inverseNorm2),
      HEDDLE_NORM("rnorm3d", inverseNorm3),
      HEDDLE_NORM("rnorm4d", inverseNorm4),
  };
#undef HEDDLE_BOTH
#undef HEDDLE_NORM
  return entries;
}

} // namespace heddle::engine
