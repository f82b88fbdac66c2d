// SPDX-License-Identifier: Apache-2.0
//
// Device math that clang's headers only declare, or lack: they expect it from the toolkit. Without
// these a program compiles, and the device module is left with symbols that nobody defines.
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

#undef HEDDLE_DEVICE

#endif
