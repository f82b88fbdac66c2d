// SPDX-License-Identifier: Apache-2.0
//
// The operators of a reduction, and the type in which each is carried out. An operator of your own
// is any function object that is callable on the device, copyable to it, and associative:
//
//   struct longest { __device__ span operator()(span a, span b) const { return a.length < b.length
//   ? b : a; } };
#pragma once

#include <cmath>
#include <type_traits>

#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#define HEDDLE_HAS_HALF 1
#endif
#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#define HEDDLE_HAS_BFLOAT16 1
#endif

namespace heddle {

/// a + b. Integers wrap, signed ones too.
struct plus {
  template <class T> __host__ __device__ T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      using bits = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<bits>(a) + static_cast<bits>(b));
    } else {
      return static_cast<T>(a + b);
    }
  }
};

/// The smaller of a and b. Of float and double a number rather than a NaN.
struct minimum {
  template <class T> __host__ __device__ T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, float>)
      return fminf(a, b);
    else if constexpr (std::is_same_v<T, double>)
      return fmin(a, b);
    else
      return b < a ? b : a;
  }
};

/// The larger of a and b. Of float and double a number rather than a NaN.
struct maximum {
  template <class T> __host__ __device__ T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, float>)
      return fmaxf(a, b);
    else if constexpr (std::is_same_v<T, double>)
      return fmax(a, b);
    else
      return a < b ? b : a;
  }
};

namespace detail {

template <class Op>
constexpr bool is_builtin =
    std::is_same_v<Op, plus> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>;

/// How a value is held while it is reduced: integers in words at least, which wrap to the same
/// bits.
template <class T> struct wide {
  static constexpr bool is_short =
      std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) < sizeof(int);
  using word = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
  using type = std::conditional_t<is_short, word, T>;
  static __host__ __device__ type widen(T value) { return static_cast<type>(value); }
  static __host__ __device__ T narrow(type value) { return static_cast<T>(value); }
};
#ifdef HEDDLE_HAS_HALF
template <> struct wide<__half> {
  using type = float;
  static __host__ __device__ float widen(__half value) { return __half2float(value); }
  static __host__ __device__ __half narrow(float value) { return __float2half_rn(value); }
};
#endif
#ifdef HEDDLE_HAS_BFLOAT16
template <> struct wide<__nv_bfloat16> {
  using type = float;
  static __host__ __device__ float widen(__nv_bfloat16 value) { return __bfloat162float(value); }
  static __host__ __device__ __nv_bfloat16 narrow(float value) {
    return __float2bfloat16_rn(value);
  }
};
#endif
template <class T> struct as_is {
  using type = T;
  static __host__ __device__ T widen(T value) { return value; }
  static __host__ __device__ T narrow(T value) { return value; }
};

/// Our own operators work on the wider type; an operator of the user's sees T only.
template <class T, class Op>
using accumulation = std::conditional_t<is_builtin<Op>, wide<T>, as_is<T>>;
template <class T, class Op> using accumulator = typename accumulation<T, Op>::type;

template <class T>
constexpr bool is_plain =
    std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>;

} // namespace detail
} // namespace heddle
