// SPDX-License-Identifier: Apache-2.0
//
// What half and bfloat16 are, by frexp and ldexp: the reference of the programs that check them.
#ifndef PROGRAMS_SMALL_FLOATS_H
#define PROGRAMS_SMALL_FLOATS_H

#include <cmath>
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct HalfFormat {
  using Number = __half;
  using Pair = __half2;
  static constexpr int digits = 10, least = -14;
  static constexpr bool isHalf = true;
};
struct BfloatFormat {
  using Number = __nv_bfloat16;
  using Pair = __nv_bfloat162;
  static constexpr int digits = 7, least = -126;
  static constexpr bool isHalf = false;
};

enum class Way { Nearest, TowardZero, Up, Down };

template <class F> double valueOf(std::uint16_t bits) {
  const int biased = (bits & 0x7fff) >> F::digits, fraction = bits & ((1 << F::digits) - 1);
  const int most = (0x7fff >> F::digits);
  double size = std::ldexp(fraction + (biased ? 1 << F::digits : 0),
                           (biased ? biased - 1 : 0) + F::least - F::digits);
  if (biased == most)
    size = fraction ? NAN : INFINITY;
  return bits & 0x8000 ? -size : size;
}

inline double wholeOf(double value, Way way) {
  return way == Way::Nearest      ? std::nearbyint(value)
         : way == Way::TowardZero ? std::trunc(value)
         : way == Way::Up         ? std::ceil(value)
                                  : std::floor(value);
}

// Rounded once. Any NaN is 0x7fff.
template <class F> std::uint16_t bitsOf(double value, Way way = Way::Nearest) {
  if (std::isnan(value))
    return 0x7fff;
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const std::uint16_t infinity = 0x7fff >> F::digits << F::digits;
  if (std::isinf(value))
    return sign | infinity;
  int exponent;
  std::frexp(value, &exponent); // the value is at least half of 2^exponent
  const int place = std::fmax(exponent - 1, F::least) - F::digits;
  const double rounded = std::ldexp(wholeOf(std::ldexp(value, -place), way), place);
  const double size = std::fabs(rounded);
  const double largest = valueOf<F>(infinity - 1);
  if (size > largest) {
    const bool stays =
        way == Way::TowardZero || (way == Way::Up && sign) || (way == Way::Down && !sign);
    return sign | (stays ? infinity - 1 : infinity);
  }
  if (size < std::ldexp(1.0, F::least))
    return sign | std::uint16_t(std::ldexp(size, F::digits - F::least));
  std::frexp(size, &exponent);
  const int fraction = std::ldexp(size, F::digits - (exponent - 1)) - (1 << F::digits);
  return sign | std::uint16_t(((exponent - F::least) << F::digits) + fraction);
}

// Numbers between two of them; a NaN is far from all but itself.
inline int distance(std::uint16_t a, std::uint16_t b) {
  if (a == b)
    return 0;
  const auto order = [](std::uint16_t x) { return x & 0x8000 ? 0x8000 - x : int(x); };
  return std::abs(order(a) - order(b)) > 0 ? std::abs(order(a) - order(b)) : 1;
}

// The format's own names of what both have.
__host__ __device__ inline __half made(HalfFormat, unsigned short bits) {
  return __ushort_as_half(bits);
}
__host__ __device__ inline __nv_bfloat16 made(BfloatFormat, unsigned short bits) {
  return __ushort_as_bfloat16(bits);
}
__host__ __device__ inline unsigned short raw(__half a) {
  return __half_as_ushort(a);
}
__host__ __device__ inline unsigned short raw(__nv_bfloat16 a) {
  return __bfloat16_as_ushort(a);
}

#endif
