// SPDX-License-Identifier: Apache-2.0
//
// Numbers of 8 bits, e4m3 and e5m2: they are stored and converted, and computed with as something
// else. The formats are rows of heddle_small.h.
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#ifdef __cplusplus

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

// What a number that is too large becomes: infinity or NaN, or the largest one.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace heddle_small {

template <class F> HEDDLE_BOTH __nv_fp8_storage_t toSmall(double value, bool isFinite) {
  const Bits bits = rounded<F>(value);
  const bool wasNan = __builtin_bit_cast(Wide, value) << 1 > 0xffeull << 52;
  const bool isBeyond = sizeOf<F>(bits) >= F::beyond && !wasNan;
  return wasNan ? F::nan : isBeyond && isFinite ? signOf<F>(bits) | (F::beyond - 1) : bits;
}

} // namespace heddle_small

HEDDLE_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x,
                                                      const __nv_saturation_t saturate,
                                                      const __nv_fp8_interpretation_t kind) {
  const bool isFinite = saturate == __NV_SATFINITE;
  return kind == __NV_E4M3 ? heddle_small::toSmall<heddle_small::E4m3>(x, isFinite)
                           : heddle_small::toSmall<heddle_small::E5m2>(x, isFinite);
}

// PTX converts two at once, to finite numbers.
HEDDLE_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x,
                                                          const __nv_saturation_t saturate,
                                                          const __nv_fp8_interpretation_t kind) {
#ifdef __CUDA_ARCH__
  if (saturate == __NV_SATFINITE) {
    unsigned short bits;
    if (kind == __NV_E4M3)
      asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(bits) : "f"(x.y), "f"(x.x));
    else
      asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(bits) : "f"(x.y), "f"(x.x));
    return bits;
  }
#endif
  return __nv_cvt_double_to_fp8(x.x, saturate, kind) | __nv_cvt_double_to_fp8(x.y, saturate, kind)
                                                           << 8;
}
HEDDLE_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x,
                                                     const __nv_saturation_t saturate,
                                                     const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(make_float2(x, 0.0f), saturate, kind) & 0xff;
}
HEDDLE_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x,
                                                           const __nv_saturation_t saturate,
                                                           const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(x.x, saturate, kind) | __nv_cvt_double_to_fp8(x.y, saturate, kind)
                                                           << 8;
}

// From half and bfloat16, which a float holds.
#define HEDDLE_FROM(name, pairName, raw, pairRaw, number, widen)                                   \
  HEDDLE_BOTH __nv_fp8_storage_t name(const raw x, const __nv_saturation_t saturate,               \
                                      const __nv_fp8_interpretation_t kind) {                      \
    return __nv_cvt_float_to_fp8(widen(number(x)), saturate, kind);                                \
  }                                                                                                \
  HEDDLE_BOTH __nv_fp8x2_storage_t pairName(const pairRaw x, const __nv_saturation_t saturate,     \
                                            const __nv_fp8_interpretation_t kind) {                \
    const float2 both = make_float2(widen(number(raw{x.x})), widen(number(raw{x.y})));             \
    return __nv_cvt_float2_to_fp8x2(both, saturate, kind);                                         \
  }
HEDDLE_FROM(__nv_cvt_halfraw_to_fp8, __nv_cvt_halfraw2_to_fp8x2, __half_raw, __half2_raw, __half,
            __half2float)
HEDDLE_FROM(__nv_cvt_bfloat16raw_to_fp8, __nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat16_raw,
            __nv_bfloat162_raw, __nv_bfloat16, __bfloat162float)
#undef HEDDLE_FROM

HEDDLE_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                   const __nv_fp8_interpretation_t kind) {
#ifdef __CUDA_ARCH__
  unsigned bits;
  if (kind == __NV_E4M3)
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(bits) : "h"(x));
  else
    asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(bits) : "h"(x));
  return __half2_raw{(unsigned short)bits, (unsigned short)(bits >> 16)};
#else
  using namespace heddle_small;
  const Bits low = x & 0xff, high = x >> 8;
  return kind == __NV_E4M3
             ? __half2_raw{rounded<Half>(widened<E4m3>(low)), rounded<Half>(widened<E4m3>(high))}
             : __half2_raw{rounded<Half>(widened<E5m2>(low)), rounded<Half>(widened<E5m2>(high))};
#endif
}
HEDDLE_BOTH __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                               const __nv_fp8_interpretation_t kind) {
  return __half_raw{__nv_cvt_fp8x2_to_halfraw2(x, kind).x};
}

// A toolkit's cuda_fp6.h and cuda_fp4.h call these.
HEDDLE_BOTH float __internal_halfraw_to_float(const __half_raw x) {
  return __half2float(__half(x));
}
HEDDLE_BOTH float2 __internal_halfraw2_to_float2(const __half2_raw x) {
  return __half22float2(__half2(x));
}
HEDDLE_BOTH float __internal_bf16raw_to_float(const __nv_bfloat16_raw x) {
  return __bfloat162float(__nv_bfloat16(x));
}
HEDDLE_BOTH __nv_bfloat16_raw __internal_float_to_bf16raw_rz(const float x) {
  return __nv_bfloat16_raw(__float2bfloat16_rz(x));
}

HEDDLE_BOTH unsigned __internal_pack_u16x2_to_u32(const unsigned short low,
                                                  const unsigned short high) {
  return low | (unsigned)high << 16;
}

// One, two and four numbers. All conversions are explicit, and to finite numbers.
#define HEDDLE_FROM_INTEGER(name, type)                                                            \
  explicit HEDDLE_METHOD name(const type value) : name(static_cast<float>(value)) {}
#define HEDDLE_TO(type, as)                                                                        \
  explicit HEDDLE_METHOD operator type() const {                                                   \
    return heddle_small::wholeTowardZero(heddle_small::Half(), __half_as_ushort(__half(*this)),    \
                                         (as)0);                                                   \
  }
#define HEDDLE_FP8(kind, ptx)                                                                      \
  struct __attribute__((aligned(1))) __nv_fp8_##kind {                                             \
    __nv_fp8_storage_t __x;                                                                        \
    __nv_fp8_##kind() = default;                                                                   \
    explicit HEDDLE_METHOD __nv_fp8_##kind(const __half value)                                     \
        : __x(__nv_cvt_halfraw_to_fp8(__half_raw(value), __NV_SATFINITE, ptx)) {}                  \
    explicit HEDDLE_METHOD __nv_fp8_##kind(const __nv_bfloat16 value)                              \
        : __x(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw(value), __NV_SATFINITE, ptx)) {}       \
    explicit HEDDLE_METHOD __nv_fp8_##kind(const float value)                                      \
        : __x(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, ptx)) {}                                \
    explicit HEDDLE_METHOD __nv_fp8_##kind(const double value)                                     \
        : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, ptx)) {}                               \
    HEDDLE_FROM_INTEGER(__nv_fp8_##kind, short)                                                    \
    HEDDLE_FROM_INTEGER(__nv_fp8_##kind, unsigned short)                                           \
    HEDDLE_FROM_INTEGER(__nv_fp8_##kind, int)                                                      \
    HEDDLE_FROM_INTEGER(__nv_fp8_##kind, unsigned int)                                             \
    HEDDLE_FROM_INTEGER(__nv_fp8_##kind, long)                                                     \
    HEDDLE_FROM_INTEGER(__nv_fp8_##kind, unsigned long)                                            \
    HEDDLE_FROM_INTEGER(__nv_fp8_##kind, long long)                                                \
    HEDDLE_FROM_INTEGER(__nv_fp8_##kind, unsigned long long)                                       \
    explicit HEDDLE_METHOD operator __half() const {                                               \
      return __nv_cvt_fp8_to_halfraw(__x, ptx);                                                    \
    }                                                                                              \
    explicit HEDDLE_METHOD operator float() const {                                                \
      return __half2float(__half(*this));                                                          \
    }                                                                                              \
    explicit HEDDLE_METHOD operator double() const {                                               \
      return __half2float(__half(*this));                                                          \
    }                                                                                              \
    explicit HEDDLE_METHOD operator __nv_bfloat16() const {                                        \
      return __float2bfloat16(__half2float(__half(*this)));                                        \
    }                                                                                              \
    HEDDLE_TO(signed char, signed char)                                                            \
    HEDDLE_TO(unsigned char, unsigned char)                                                        \
    HEDDLE_TO(char, heddle_small::PlainChar)                                                       \
    HEDDLE_TO(short, short)                                                                        \
    HEDDLE_TO(unsigned short, unsigned short)                                                      \
    HEDDLE_TO(int, int)                                                                            \
    HEDDLE_TO(unsigned int, unsigned int)                                                          \
    HEDDLE_TO(long, long long)                                                                     \
    HEDDLE_TO(unsigned long, unsigned long long)                                                   \
    HEDDLE_TO(long long, long long)                                                                \
    HEDDLE_TO(unsigned long long, unsigned long long)                                              \
    explicit HEDDLE_METHOD operator bool() const {                                                 \
      return (__x & 0x7f) != 0;                                                                    \
    }                                                                                              \
  };                                                                                               \
  struct __attribute__((aligned(2))) __nv_fp8x2_##kind {                                           \
    __nv_fp8x2_storage_t __x;                                                                      \
    __nv_fp8x2_##kind() = default;                                                                 \
    explicit HEDDLE_METHOD __nv_fp8x2_##kind(const __half2 value)                                  \
        : __x(__nv_cvt_halfraw2_to_fp8x2(__half2_raw(value), __NV_SATFINITE, ptx)) {}              \
    explicit HEDDLE_METHOD __nv_fp8x2_##kind(const __nv_bfloat162 value)                           \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw(value), __NV_SATFINITE, ptx)) {}   \
    explicit HEDDLE_METHOD __nv_fp8x2_##kind(const float2 value)                                   \
        : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, ptx)) {}                             \
    explicit HEDDLE_METHOD __nv_fp8x2_##kind(const double2 value)                                  \
        : __x(__nv_cvt_double2_to_fp8x2(value, __NV_SATFINITE, ptx)) {}                            \
    explicit HEDDLE_METHOD operator __half2() const {                                              \
      return __nv_cvt_fp8x2_to_halfraw2(__x, ptx);                                                 \
    }                                                                                              \
    explicit HEDDLE_METHOD operator float2() const {                                               \
      return __half22float2(__half2(*this));                                                       \
    }                                                                                              \
  };                                                                                               \
  struct __attribute__((aligned(4))) __nv_fp8x4_##kind {                                           \
    __nv_fp8x4_storage_t __x;                                                                      \
    __nv_fp8x4_##kind() = default;                                                                 \
    explicit HEDDLE_METHOD __nv_fp8x4_##kind(const __half2 low, const __half2 high)                \
        : __x(__nv_fp8x2_##kind(low).__x | unsigned(__nv_fp8x2_##kind(high).__x) << 16) {}         \
    explicit HEDDLE_METHOD __nv_fp8x4_##kind(const __nv_bfloat162 low, const __nv_bfloat162 high)  \
        : __x(__nv_fp8x2_##kind(low).__x | unsigned(__nv_fp8x2_##kind(high).__x) << 16) {}         \
    explicit HEDDLE_METHOD __nv_fp8x4_##kind(const float4 value)                                   \
        : __x(__nv_fp8x2_##kind(make_float2(value.x, value.y)).__x |                               \
              unsigned(__nv_fp8x2_##kind(make_float2(value.z, value.w)).__x) << 16) {}             \
    explicit HEDDLE_METHOD __nv_fp8x4_##kind(const double4 value)                                  \
        : __x(__nv_fp8x2_##kind(make_double2(value.x, value.y)).__x |                              \
              unsigned(__nv_fp8x2_##kind(make_double2(value.z, value.w)).__x) << 16) {}            \
    explicit HEDDLE_METHOD operator float4() const {                                               \
      const float2 low = __half22float2(__nv_cvt_fp8x2_to_halfraw2(__x & 0xffff, ptx));            \
      const float2 high = __half22float2(__nv_cvt_fp8x2_to_halfraw2(__x >> 16, ptx));              \
      return make_float4(low.x, low.y, high.x, high.y);                                            \
    }                                                                                              \
  };
HEDDLE_FP8(e4m3, __NV_E4M3)
HEDDLE_FP8(e5m2, __NV_E5M2)
#undef HEDDLE_FP8
#undef HEDDLE_TO
#undef HEDDLE_FROM_INTEGER

#endif
#endif
