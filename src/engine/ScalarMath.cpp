// SPDX-License-Identifier: Apache-2.0
//
// The lookup, and the functions that the C library has. Where its double version is not as accurate
// as the GPU's the long double one is used, where its float version is not, the double one.
#include "engine/ScalarMath.h"

#include "engine/ScalarMathTable.h"

#include <llvm/ADT/StringMap.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>

#include <math.h> // lgamma_r, exp10 and the Bessel functions are not C++'s

namespace heddle::engine {
namespace {

using OneFloat = float (*)(float);
using OneDouble = double (*)(double);
using TwoDoubles = double (*)(double, double);

template <long double (*function)(long double)> double viaLong(double x) {
  return static_cast<double>(function(x));
}

template <double (*function)(double)> float viaDouble(float x) {
  return static_cast<float>(function(x));
}

/// PTX's .ftz: subnormal numbers are zeros.
template <float (*function)(float)> float flushing(float x) {
  const auto flushed = [](float value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
  };
  return flushed(function(flushed(x)));
}

/// The C library's own lgamma writes the sign to a variable all threads share.
template <class Number> Number logGamma(Number x) {
  int sign = 0;
  return static_cast<Number>(::lgammal_r(x, &sign));
}

template <class Number> Number gamma(Number x) {
  if (x == -std::numeric_limits<Number>::infinity())
    return std::numeric_limits<Number>::quiet_NaN();
  return static_cast<Number>(std::tgamma(static_cast<long double>(x)));
}

/// What ilogb says of 0, infinity and NaN differs from machine to machine; this is CUDA's choice.
template <class Number> int exponentOf(Number x) {
  if (x == 0 || std::isnan(x))
    return INT_MIN;
  return std::isinf(x) ? INT_MAX : std::ilogb(x);
}

template <class Number> Number integerPower(Number base, int exponent) {
  return static_cast<Number>(std::pow(double(base), double(exponent)));
}

/// Bessel functions in long double: near their zeros the C library's double ones are 50 units off.
template <long double (*function)(int, long double), class Number>
Number besselOf(int order, Number x) {
  if (order < 0)
    return std::numeric_limits<Number>::quiet_NaN();
  return static_cast<Number>(function(order, x));
}

template <long double (*function)(long double), class Number> Number besselY(Number x) {
  return x < 0 ? std::numeric_limits<Number>::quiet_NaN() : static_cast<Number>(function(x));
}

/// The place of the n-th set bit, counted from `base` up or down; all ones where there is none.
unsigned nthSetBit(unsigned mask, unsigned base, int offset) {
  constexpr unsigned none = UINT_MAX;
  const auto isSet = [&](unsigned place) { return place < 32 && (mask >> place & 1) != 0; };
  if (offset == 0)
    return isSet(base) ? base : none;
  int left = std::abs(offset);
  for (unsigned place = base; place < 32; place += offset > 0 ? 1u : ~0u)
    if (isSet(place) && --left == 0)
      return place;
  return none;
}

const llvm::StringMap<void*>& knownFunctions() {
  static const llvm::StringMap<void*> known = [] {
    llvm::StringMap<void*> all;
    for (const auto part : {libraryMath(), specialMath(), directedMath()})
      for (const ScalarEntry& entry : part)
        all.try_emplace(entry.name, entry.address);
    return all;
  }();
  return known;
}

#define HEDDLE_BOTH(name)                                                                          \
  ScalarEntry{"__nv_" #name, static_cast<OneDouble>(::name)}, ScalarEntry {                        \
    "__nv_" #name "f", static_cast<OneFloat>(::name##f)                                            \
  }
#define HEDDLE_LONG(name)                                                                          \
  ScalarEntry{"__nv_" #name, viaLong<::name##l>}, ScalarEntry {                                    \
    "__nv_" #name "f", static_cast<OneFloat>(::name##f)                                            \
  }
#define HEDDLE_TWO(name)                                                                           \
  ScalarEntry{"__nv_" #name, static_cast<TwoDoubles>(::name)}, ScalarEntry {                       \
    "__nv_" #name "f", ::name##f                                                                   \
  }
const ScalarEntry library[] = {
    HEDDLE_BOTH(acos),
    HEDDLE_BOTH(acosh),
    HEDDLE_BOTH(asin),
    HEDDLE_BOTH(asinh),
    HEDDLE_BOTH(atan),
    HEDDLE_BOTH(atanh),
    HEDDLE_BOTH(cos),
    HEDDLE_BOTH(erf),
    HEDDLE_BOTH(exp),
    HEDDLE_BOTH(exp2),
    HEDDLE_BOTH(expm1),
    HEDDLE_BOTH(log),
    HEDDLE_BOTH(log1p),
    HEDDLE_BOTH(log2),
    HEDDLE_BOTH(logb),
    HEDDLE_BOTH(sin),
    HEDDLE_BOTH(tan),
    HEDDLE_LONG(cbrt),
    HEDDLE_LONG(cosh),
    HEDDLE_LONG(erfc),
    HEDDLE_LONG(log10),
    HEDDLE_LONG(sinh),
    HEDDLE_LONG(tanh),
    HEDDLE_TWO(atan2),
    HEDDLE_TWO(fmod),
    HEDDLE_TWO(hypot),
    HEDDLE_TWO(nextafter),
    HEDDLE_TWO(pow),
    HEDDLE_TWO(remainder),
    {"__nv_exp10", viaLong<::exp10l>},
    {"__nv_exp10f", viaDouble<::exp10>},
    {"__nv_fast_cosf", ::cosf},
    {"__nv_fast_exp10f", viaDouble<::exp10>},
    {"__nv_fast_expf", ::expf},
    {"__nv_fast_log10f", ::log10f},
    {"__nv_fast_log2f", ::log2f},
    {"__nv_fast_logf", ::logf},
    {"__nv_fast_powf", ::powf},
    {"__nv_fast_sinf", ::sinf},
    {"__nv_fast_tanf", ::tanf},
    {"__nv_ilogb", exponentOf<double>},
    {"__nv_ilogbf", exponentOf<float>},
    {"__nv_j0", viaLong<::j0l>},
    {"__nv_j0f", viaDouble<::j0>},
    {"__nv_j1", viaLong<::j1l>},
    {"__nv_j1f", viaDouble<::j1>},
    {"__nv_jn", besselOf<::jnl, double>},
    {"__nv_jnf", besselOf<::jnl, float>},
    {"__nv_ldexp", static_cast<double (*)(double, int)>(::ldexp)},
    {"__nv_ldexpf", ::ldexpf},
    {"__nv_lgamma", logGamma<double>},
    {"__nv_lgammaf", logGamma<float>},
    {"__nv_powi", integerPower<double>},
    {"__nv_powif", integerPower<float>},
    {"__nv_scalbn", static_cast<double (*)(double, int)>(::scalbn)},
    {"__nv_scalbnf", ::scalbnf},
    {"__nv_tgamma", gamma<double>},
    {"__nv_tgammaf", gamma<float>},
    {"__nv_y0", besselY<::y0l, double>},
    {"__nv_y0f", besselY<::y0l, float>},
    {"__nv_y1", besselY<::y1l, double>},
    {"__nv_y1f", besselY<::y1l, float>},
    {"__nv_yn", besselOf<::ynl, double>},
    {"__nv_ynf", besselOf<::ynl, float>},
    {"llvm.exp10.f32", viaDouble<::exp10>},
    {"llvm.exp10.f64", viaLong<::exp10l>},
    {"llvm.ldexp.f32.i32", ::ldexpf},
    {"llvm.ldexp.f64.i32", static_cast<double (*)(double, int)>(::ldexp)},
    {"llvm.nvvm.cos.approx.f", ::cosf},
    {"llvm.nvvm.cos.approx.ftz.f", flushing<::cosf>},
    {"llvm.nvvm.ex2.approx.d", static_cast<OneDouble>(::exp2)},
    {"llvm.nvvm.ex2.approx.f", ::exp2f},
    {"llvm.nvvm.ex2.approx.ftz.f", flushing<::exp2f>},
    {"llvm.nvvm.fns", nthSetBit},
    {"llvm.nvvm.lg2.approx.d", static_cast<OneDouble>(::log2)},
    {"llvm.nvvm.lg2.approx.f", ::log2f},
    {"llvm.nvvm.lg2.approx.ftz.f", flushing<::log2f>},
    {"llvm.nvvm.sin.approx.f", ::sinf},
    {"llvm.nvvm.sin.approx.ftz.f", flushing<::sinf>},
    {"llvm.powi.f32.i32", integerPower<float>},
    {"llvm.powi.f64.i32", integerPower<double>},
};
#undef HEDDLE_BOTH
#undef HEDDLE_LONG
#undef HEDDLE_TWO

} // namespace

std::span<const ScalarEntry> libraryMath() {
  return library;
}

void* scalarMath(llvm::StringRef name) {
  const auto found = knownFunctions().find(name);
  return found == knownFunctions().end() ? nullptr : found->second;
}

std::vector<llvm::StringRef> scalarMathNames() {
  std::vector<llvm::StringRef> names;
  for (const llvm::StringRef name : knownFunctions().keys())
    names.push_back(name);
  std::ranges::sort(names);
  return names;
}

} // namespace heddle::engine
