// SPDX-License-Identifier: Apache-2.0
//
// Floating point in 16 bits and less, by integers alone: what the host does for cuda_fp16.h,
// cuda_bf16.h and cuda_fp8.h, and the device where PTX has no instruction. A number is its bits in
// an unsigned short; each result is rounded once, and every NaN is the one a GPU writes.
#ifndef HEDDLE_COMPAT_SMALL_H
#define HEDDLE_COMPAT_SMALL_H

#include "host_defines.h"

#define HEDDLE_BOTH static __inline__ __host__ __device__
#define HEDDLE_METHOD __host__ __device__

// The device has inline PTX, the host a formula.
#ifdef __CUDA_ARCH__
#define HEDDLE_SPLIT(device, host) device
#else
#define HEDDLE_SPLIT(device, host) host
#endif

namespace heddle_small {

typedef unsigned short Bits;
typedef unsigned long long Wide;

enum Rounding { Nearest, TowardZero, Up, Down };

// digits: bits of the mantissa that are stored; least: exponent of the smallest normal number;
// beyond: the bits after the largest finite number; infinity: none where it is 0.
struct Half {
  static constexpr int width = 16, digits = 10, least = -14;
  static constexpr Bits beyond = 0x7c00, infinity = 0x7c00, nan = 0x7fff;
};
struct Bfloat {
  static constexpr int width = 16, digits = 7, least = -126;
  static constexpr Bits beyond = 0x7f80, infinity = 0x7f80, nan = 0x7fff;
};
struct E4m3 {
  static constexpr int width = 8, digits = 3, least = -6;
  static constexpr Bits beyond = 0x7f, infinity = 0, nan = 0x7f;
};
struct E5m2 {
  static constexpr int width = 8, digits = 2, least = -14;
  static constexpr Bits beyond = 0x7c, infinity = 0x7c, nan = 0x7f;
};

template <class F> HEDDLE_BOTH Bits signOf(Bits bits) {
  return bits & (1u << (F::width - 1));
}
template <class F> HEDDLE_BOTH Bits sizeOf(Bits bits) {
  return bits & ((1u << (F::width - 1)) - 1);
}
template <class F> HEDDLE_BOTH bool isNan(Bits bits) {
  return sizeOf<F>(bits) > (F::infinity ? F::infinity : F::beyond - 1);
}

// A float holds every number of every format.
template <class F> HEDDLE_BOTH float widened(Bits bits) {
  const unsigned size = sizeOf<F>(bits), sign = signOf<F>(bits) ? 0x80000000u : 0;
  if (isNan<F>(bits))
    return __builtin_bit_cast(float, 0x7fffffffu);
  if (F::infinity && size == F::infinity)
    return __builtin_bit_cast(float, sign | 0x7f800000u);
  // The exponents, one after the other, are a float's times a power of two.
  const float power = __builtin_bit_cast(float, unsigned(253 + F::least) << 23);
  const float value = __builtin_bit_cast(float, size << (23 - F::digits)) * power;
  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, value) | sign);
}

// What a number that is too large becomes.
template <class F> HEDDLE_BOTH Bits tooLarge(bool isNegative, Rounding mode) {
  const bool stays =
      mode == TowardZero || (mode == Up && isNegative) || (mode == Down && !isNegative);
  return stays ? F::beyond - 1 : F::infinity ? F::infinity : F::nan;
}

template <class F> HEDDLE_BOTH Bits rounded(double value, Rounding mode = Nearest) {
  const Wide raw = __builtin_bit_cast(Wide, value), size = raw & ~(1ull << 63);
  const bool isNegative = raw != size;
  if (size > 0x7ffull << 52)
    return F::nan;
  const Bits sign = isNegative ? 1u << (F::width - 1) : 0;
  if (size == 0x7ffull << 52)
    return sign | (F::infinity ? F::infinity : F::nan);
  const int own = int(size >> 52) - 1023, exponent = own < F::least ? F::least : own;
  const Wide mantissa = (size & ((1ull << 52) - 1)) | (size >> 52 ? 1ull << 52 : 0);
  int shift = 52 - F::digits + exponent - own;
  shift = shift > 63 ? 63 : shift;
  const Wide rest = mantissa & ((1ull << shift) - 1), middle = 1ull << (shift - 1);
  Wide places = mantissa >> shift;
  const bool goesUp = mode == Nearest ? rest > middle || (rest == middle && (places & 1))
                      : mode == Up    ? rest != 0 && !isNegative
                      : mode == Down  ? rest != 0 && isNegative
                                      : false;
  // The hidden bit counts the exponent up by one, and so does a carry.
  const Wide result = (Wide(exponent - F::least) << F::digits) + places + goesUp;
  return sign | (result >= F::beyond ? tooLarge<F>(isNegative, mode) : Bits(result));
}

// A double with the value, or one that rounds to the same in every format.
HEDDLE_BOTH double doubleOf(Wide size, bool isNegative) {
  if (size >> 53)
    size = ((size >> 11) | ((size & 2047) != 0)) << 11;
  return isNegative ? -double(size) : double(size);
}
template <class Integer> HEDDLE_BOTH double doubleOf(Integer value) {
  return value < Integer(0) ? doubleOf(Wide(0) - Wide(value), true) : doubleOf(Wide(value), false);
}

// To a whole number, at the end of the range where that is near. NaN is 0, and in 64 bits the
// smallest of the signed numbers.
template <class Integer> HEDDLE_BOTH Integer wholeOf(float value, Rounding mode) {
  const bool isSigned = Integer(-1) < Integer(0);
  const Wide top = 1ull << (sizeof(Integer) * 8 - 1);
  if ((__builtin_bit_cast(unsigned, value) & 0x7fffffff) > 0x7f800000)
    return sizeof(Integer) == 8 ? Integer(top) : Integer(0);
  const double whole = mode == Nearest      ? __builtin_rint(value)
                       : mode == TowardZero ? __builtin_trunc(value)
                       : mode == Up         ? __builtin_ceil(value)
                                            : __builtin_floor(value);
  const double limit = isSigned ? double(top) : 2.0 * double(top);
  if (whole >= limit)
    return isSigned ? Integer(top - 1) : Integer(-1);
  if (isSigned ? whole < -limit : whole < 0.0)
    return isSigned ? Integer(top) : Integer(0);
  return Integer(whole);
}

// One operation as its formula in double: sums, products and quotients are rounded once more
// without harm.
template <class F> HEDDLE_BOTH Bits sum(Bits a, Bits b) {
  return rounded<F>(double(widened<F>(a)) + double(widened<F>(b)));
}
template <class F> HEDDLE_BOTH Bits difference(Bits a, Bits b) {
  return rounded<F>(double(widened<F>(a)) - double(widened<F>(b)));
}
template <class F> HEDDLE_BOTH Bits product(Bits a, Bits b) {
  return rounded<F>(double(widened<F>(a)) * double(widened<F>(b)));
}
// Between 0 and 1; NaN is 0.
template <class F> HEDDLE_BOTH Bits clamped(Bits bits) {
  const float value = widened<F>(bits);
  return value > 0.0f ? (value < 1.0f ? bits : rounded<F>(1.0)) : 0;
}

// -0 is below +0; a NaN gives way to a number, or not.
template <class F> HEDDLE_BOTH Bits least(Bits a, Bits b, bool keepsNan) {
  if (isNan<F>(a) || isNan<F>(b))
    return keepsNan || (isNan<F>(a) && isNan<F>(b)) ? F::nan : isNan<F>(a) ? b : a;
  const float x = widened<F>(a), y = widened<F>(b);
  return x < y || (x == y && signOf<F>(a)) ? a : b;
}
template <class F> HEDDLE_BOTH Bits most(Bits a, Bits b, bool keepsNan) {
  if (isNan<F>(a) || isNan<F>(b))
    return keepsNan || (isNan<F>(a) && isNan<F>(b)) ? F::nan : isNan<F>(a) ? b : a;
  const float x = widened<F>(a), y = widened<F>(b);
  return x > y || (x == y && !signOf<F>(a)) ? a : b;
}

// -1, 0 or 1 where a is below, equal to or above b; 2 where one is no number.
template <class F> HEDDLE_BOTH int compared(Bits a, Bits b) {
  if (isNan<F>(a) || isNan<F>(b))
    return 2;
  const float x = widened<F>(a), y = widened<F>(b);
  return x < y ? -1 : x > y;
}

#ifdef __CHAR_UNSIGNED__
typedef unsigned char PlainChar;
#else
typedef signed char PlainChar;
#endif

} // namespace heddle_small

#endif
