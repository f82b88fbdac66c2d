// SPDX-License-Identifier: Apache-2.0
//
// Device math that clang's headers only declare, or lack: they expect it from the toolkit. Without
// these a program compiles, and the device module is left with symbols that nobody defines. The
// functions of libdevice that write through pointers are here too: the engine has the others.
#ifndef HEDDLE_COMPAT_MATH_H
#define HEDDLE_COMPAT_MATH_H

#define HEDDLE_DEVICE static __inline__ __attribute__((always_inline, device))

// min and max over all types and their mixtures; clang has those of int.
HEDDLE_DEVICE float min(float a, float b) {
  return __nv_fminf(a, b);
}
HEDDLE_DEVICE float max(float a, float b) {
  return __nv_fmaxf(a, b);
}
HEDDLE_DEVICE double min(double a, double b) {
  return __nv_fmin(a, b);
}
HEDDLE_DEVICE double max(double a, double b) {
  return __nv_fmax(a, b);
}
HEDDLE_DEVICE double min(float a, double b) {
  return __nv_fmin(a, b);
}
HEDDLE_DEVICE double min(double a, float b) {
  return __nv_fmin(a, b);
}
HEDDLE_DEVICE double max(float a, double b) {
  return __nv_fmax(a, b);
}
HEDDLE_DEVICE double max(double a, float b) {
  return __nv_fmax(a, b);
}

#define HEDDLE_MIN_MAX(result, left, right)                                                        \
  HEDDLE_DEVICE result min(left a, right b) {                                                      \
    const result x = static_cast<result>(a), y = static_cast<result>(b);                           \
    return y < x ? y : x;                                                                          \
  }                                                                                                \
  HEDDLE_DEVICE result max(left a, right b) {                                                      \
    const result x = static_cast<result>(a), y = static_cast<result>(b);                           \
    return x < y ? y : x;                                                                          \
  }
HEDDLE_MIN_MAX(unsigned int, unsigned int, unsigned int)
HEDDLE_MIN_MAX(unsigned int, int, unsigned int)
HEDDLE_MIN_MAX(unsigned int, unsigned int, int)
HEDDLE_MIN_MAX(long, long, long)
HEDDLE_MIN_MAX(unsigned long, unsigned long, unsigned long)
HEDDLE_MIN_MAX(unsigned long, long, unsigned long)
HEDDLE_MIN_MAX(unsigned long, unsigned long, long)
HEDDLE_MIN_MAX(long long, long long, long long)
HEDDLE_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
HEDDLE_MIN_MAX(unsigned long long, long long, unsigned long long)
HEDDLE_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef HEDDLE_MIN_MAX

// nvcc has min and max for host code too. As templates they give way to a program's own, and to
// those of namespace std where it is used. Of a number and a NaN both take the number.
template <class Left, class Right,
          bool = std::is_arithmetic<Left>::value && std::is_arithmetic<Right>::value>
struct heddle_common {};
template <class Left, class Right> struct heddle_common<Left, Right, true> {
  using type = decltype(Left() + Right());
};
template <class Left, class Right>
static inline __attribute__((host)) typename heddle_common<Left, Right>::type min(Left a, Right b) {
  const typename heddle_common<Left, Right>::type x = a, y = b;
  return y < x || x != x ? y : x;
}
template <class Left, class Right>
static inline __attribute__((host)) typename heddle_common<Left, Right>::type max(Left a, Right b) {
  const typename heddle_common<Left, Right>::type x = a, y = b;
  return x < y || x != x ? y : x;
}

// The overloads for float under C's plain names: clang declares them, and defines only some.
#define HEDDLE_FLOAT_OF_ONE(name)                                                                  \
  HEDDLE_DEVICE float name(float x) {                                                              \
    return name##f(x);                                                                             \
  }
#define HEDDLE_FLOAT_OF_TWO(name)                                                                  \
  HEDDLE_DEVICE float name(float x, float y) {                                                     \
    return name##f(x, y);                                                                          \
  }
HEDDLE_FLOAT_OF_ONE(acosh)
HEDDLE_FLOAT_OF_ONE(asinh)
HEDDLE_FLOAT_OF_ONE(atanh)
HEDDLE_FLOAT_OF_ONE(cbrt)
HEDDLE_FLOAT_OF_ONE(erf)
HEDDLE_FLOAT_OF_ONE(erfc)
HEDDLE_FLOAT_OF_ONE(exp2)
HEDDLE_FLOAT_OF_ONE(expm1)
HEDDLE_FLOAT_OF_ONE(lgamma)
HEDDLE_FLOAT_OF_ONE(log1p)
HEDDLE_FLOAT_OF_ONE(log2)
HEDDLE_FLOAT_OF_ONE(logb)
HEDDLE_FLOAT_OF_ONE(nearbyint)
HEDDLE_FLOAT_OF_ONE(rint)
HEDDLE_FLOAT_OF_ONE(round)
HEDDLE_FLOAT_OF_ONE(tgamma)
HEDDLE_FLOAT_OF_ONE(trunc)
HEDDLE_FLOAT_OF_TWO(copysign)
HEDDLE_FLOAT_OF_TWO(fdim)
HEDDLE_FLOAT_OF_TWO(fmax)
HEDDLE_FLOAT_OF_TWO(fmin)
HEDDLE_FLOAT_OF_TWO(hypot)
HEDDLE_FLOAT_OF_TWO(nextafter)
HEDDLE_FLOAT_OF_TWO(remainder)
#undef HEDDLE_FLOAT_OF_ONE
#undef HEDDLE_FLOAT_OF_TWO
HEDDLE_DEVICE float fma(float x, float y, float z) {
  return fmaf(x, y, z);
}
HEDDLE_DEVICE int ilogb(float x) {
  return ilogbf(x);
}
HEDDLE_DEVICE long lrint(float x) {
  return lrintf(x);
}
HEDDLE_DEVICE long lround(float x) {
  return lroundf(x);
}
HEDDLE_DEVICE long long llrint(float x) {
  return llrintf(x);
}
HEDDLE_DEVICE long long llround(float x) {
  return llroundf(x);
}
HEDDLE_DEVICE float remquo(float x, float y, int* quotient) {
  return remquof(x, y, quotient);
}
HEDDLE_DEVICE float scalbn(float x, int n) {
  return scalbnf(x, n);
}
HEDDLE_DEVICE float scalbln(float x, long n) {
  return scalblnf(x, n);
}

// Functions that C does not have.
HEDDLE_DEVICE float rsqrt(float x) {
  return __nv_rsqrtf(x);
}
HEDDLE_DEVICE float normcdf(float x) {
  return __nv_normcdff(x);
}
HEDDLE_DEVICE float normcdfinv(float x) {
  return __nv_normcdfinvf(x);
}
HEDDLE_DEVICE float erfinv(float x) {
  return __nv_erfinvf(x);
}
HEDDLE_DEVICE float erfcinv(float x) {
  return __nv_erfcinvf(x);
}
HEDDLE_DEVICE float erfcx(float x) {
  return __nv_erfcxf(x);
}
HEDDLE_DEVICE float rcbrt(float x) {
  return __nv_rcbrtf(x);
}
HEDDLE_DEVICE float sinpi(float x) {
  return __nv_sinpif(x);
}
HEDDLE_DEVICE float cospi(float x) {
  return __nv_cospif(x);
}
HEDDLE_DEVICE float exp10(float x) {
  return __nv_exp10f(x);
}
HEDDLE_DEVICE void sincos(float x, float* s, float* c) {
  __nv_sincosf(x, s, c);
}
HEDDLE_DEVICE void sincospi(float x, float* s, float* c) {
  __nv_sincospif(x, s, c);
}

HEDDLE_DEVICE float j0(float x) {
  return __nv_j0f(x);
}
HEDDLE_DEVICE float j1(float x) {
  return __nv_j1f(x);
}
HEDDLE_DEVICE float jn(int n, float x) {
  return __nv_jnf(n, x);
}
HEDDLE_DEVICE float y0(float x) {
  return __nv_y0f(x);
}
HEDDLE_DEVICE float y1(float x) {
  return __nv_y1f(x);
}
HEDDLE_DEVICE float yn(int n, float x) {
  return __nv_ynf(n, x);
}
HEDDLE_DEVICE float cyl_bessel_i0(float x) {
  return __nv_cyl_bessel_i0f(x);
}
HEDDLE_DEVICE float cyl_bessel_i1(float x) {
  return __nv_cyl_bessel_i1f(x);
}
HEDDLE_DEVICE double nan(const char*) {
  return __builtin_nan("");
}
HEDDLE_DEVICE float nanf(const char*) {
  return __builtin_nanf("");
}
HEDDLE_DEVICE float __tanhf(float x) {
  return __nv_tanhf(x);
}
#undef HEDDLE_DEVICE

// libdevice's functions with more than one result, over those with one.
#define HEDDLE_LIBDEVICE extern "C" __attribute__((device)) inline

#define HEDDLE_TWO_RESULTS(name, type, sine, cosine)                                               \
  HEDDLE_LIBDEVICE void name(type x, type* s, type* c) {                                           \
    const type first = sine(x), second = cosine(x);                                                \
    *s = first;                                                                                    \
    *c = second;                                                                                   \
  }
HEDDLE_TWO_RESULTS(__nv_sincos, double, __nv_sin, __nv_cos)
HEDDLE_TWO_RESULTS(__nv_sincosf, float, __nv_sinf, __nv_cosf)
HEDDLE_TWO_RESULTS(__nv_sincospi, double, __nv_sinpi, __nv_cospi)
HEDDLE_TWO_RESULTS(__nv_sincospif, float, __nv_sinpif, __nv_cospif)
HEDDLE_TWO_RESULTS(__nv_fast_sincosf, float, __nv_fast_sinf, __nv_fast_cosf)
#undef HEDDLE_TWO_RESULTS

// Zeros, infinities and NaNs are their own fractions.
HEDDLE_LIBDEVICE double __nv_frexp(double x, int* exponent) {
  const bool subnormal = __nv_fabs(x) < 0x1p-1022;
  const double scaled = subnormal ? x * 0x1p54 : x;
  const int high = __nv_double2hiint(scaled);
  const int field = (high >> 20) & 0x7FF;
  const bool ordinary = scaled != 0 && field != 0x7FF;
  *exponent = ordinary ? field - 1022 - (subnormal ? 54 : 0) : 0;
  return ordinary ? __nv_hiloint2double((high & 0x800FFFFF) | 0x3FE00000, __nv_double2loint(scaled))
                  : x;
}
HEDDLE_LIBDEVICE float __nv_frexpf(float x, int* exponent) {
  return static_cast<float>(__nv_frexp(x, exponent));
}

#define HEDDLE_MODF(name, type, suffix)                                                            \
  HEDDLE_LIBDEVICE type name(type x, type* whole) {                                                \
    const type integer = __nv_trunc##suffix(x);                                                    \
    *whole = integer;                                                                              \
    return __nv_copysign##suffix(integer == x ? 0 : x - integer, x);                               \
  }
HEDDLE_MODF(__nv_modf, double, )
HEDDLE_MODF(__nv_modff, float, f)
#undef HEDDLE_MODF

// The quotient's last three bits by hand: |x| modulo 8|y| holds 4, 2 and 1 times |y|, and what is
// left rounds to even as the remainder does. Multiples of |y| that overflow are not held.
HEDDLE_LIBDEVICE double __nv_remquo(double x, double y, int* quotient) {
  const double divisor = __nv_fabs(y);
  double left = __nv_fabs(x);
  if (8 * divisor <= 0x1.fffffffffffffp1023)
    left = __nv_fmod(left, 8 * divisor);
  int bits = 0;
  for (int multiple = 4; multiple > 0; multiple /= 2)
    if (left >= multiple * divisor) {
      left -= multiple * divisor;
      bits += multiple;
    }
  if (left + left > divisor || (left + left == divisor && bits % 2 == 1))
    ++bits;
  const bool negative = __nv_signbitd(x) != __nv_signbitd(y);
  *quotient = negative ? -(bits & 7) : bits & 7;
  return __nv_remainder(x, y);
}
HEDDLE_LIBDEVICE float __nv_remquof(float x, float y, int* quotient) {
  return static_cast<float>(__nv_remquo(x, y, quotient));
}

// Norms of arrays. The squares of floats cannot overflow a double. Doubles are scaled by a power of
// two near the largest, and what rounding takes from the sum is added at the end.
HEDDLE_LIBDEVICE double __nv_norm(int count, const double* numbers) {
  double largest = 0;
  bool nan = false;
  for (int i = 0; i < count; ++i) {
    largest = __nv_fmax(largest, __nv_fabs(numbers[i]));
    nan = nan || numbers[i] != numbers[i];
  }
  if (largest == __builtin_inf() || (largest == 0 && !nan))
    return largest;
  if (nan)
    return __builtin_nan("");
  int exponent;
  __nv_frexp(largest, &exponent);
  double sum = 0, rest = 0;
  for (int i = 0; i < count; ++i) {
    const double scaled = __nv_ldexp(numbers[i], -exponent);
    const double square = __nv_dmul_rn(scaled, scaled);
    const double next = __nv_dadd_rn(sum, square);
    const double part = __nv_dsub_rn(next, sum);
    rest += __nv_fma(scaled, scaled, -square) +
            __nv_dadd_rn(__nv_dsub_rn(sum, __nv_dsub_rn(next, part)), __nv_dsub_rn(square, part));
    sum = next;
  }
  return __nv_ldexp(__nv_sqrt(sum + rest), exponent);
}
HEDDLE_LIBDEVICE float __nv_normf(int count, const float* numbers) {
  double sum = 0;
  bool infinite = false;
  for (int i = 0; i < count; ++i) {
    infinite = infinite || __nv_fabsf(numbers[i]) == __builtin_inff();
    sum += static_cast<double>(numbers[i]) * numbers[i];
  }
  return infinite ? __builtin_inff() : static_cast<float>(__nv_sqrt(sum));
}
HEDDLE_LIBDEVICE double __nv_rnorm(int count, const double* numbers) {
  return 1 / __nv_norm(count, numbers);
}
HEDDLE_LIBDEVICE float __nv_rnormf(int count, const float* numbers) {
  return 1 / __nv_normf(count, numbers);
}

HEDDLE_LIBDEVICE double __nv_nan(const signed char*) {
  return __builtin_nan("");
}
HEDDLE_LIBDEVICE float __nv_nanf(const signed char*) {
  return __builtin_nanf("");
}
#undef HEDDLE_LIBDEVICE

#endif
