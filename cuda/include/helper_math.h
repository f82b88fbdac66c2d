// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of CUDA's vector types, part by part, and of points in space, in the manner of
// NVIDIA's samples. For programs that include helper_math.h and do not bring their own.
#ifndef HELPER_MATH_H
#define HELPER_MATH_H

#include <cuda_runtime.h>
#include <math.h>

typedef unsigned int uint;
typedef unsigned short ushort;

#define HEDDLE_VECTOR inline __host__ __device__

// Host code has no functions of these names.
#ifndef __CUDACC__
inline float fminf(float a, float b) {
  return a < b ? a : b;
}
inline float fmaxf(float a, float b) {
  return a > b ? a : b;
}
inline int max(int a, int b) {
  return a > b ? a : b;
}
inline int min(int a, int b) {
  return a < b ? a : b;
}
inline float rsqrtf(float x) {
  return 1.0f / sqrtf(x);
}
#endif

// The parts of a vector, each by `part`, which sees its name.
#define HEDDLE_PARTS2(part) part(x), part(y)
#define HEDDLE_PARTS3(part) part(x), part(y), part(z)
#define HEDDLE_PARTS4(part) part(x), part(y), part(z), part(w)
#define HEDDLE_VV_plus(n) a.n + b.n
#define HEDDLE_VS_plus(n) a.n + b
#define HEDDLE_SV_plus(n) a + b.n
#define HEDDLE_VV_minus(n) a.n - b.n
#define HEDDLE_VS_minus(n) a.n - b
#define HEDDLE_SV_minus(n) a - b.n
#define HEDDLE_VV_times(n) a.n* b.n
#define HEDDLE_VS_times(n) a.n* b
#define HEDDLE_SV_times(n) a* b.n
#define HEDDLE_VV_over(n) a.n / b.n
#define HEDDLE_VS_over(n) a.n / b
#define HEDDLE_SV_over(n) a / b.n
#define HEDDLE_OPERATOR(type, scalar, parts, sign, word)                                           \
  HEDDLE_VECTOR type operator sign(type a, type b) {                                               \
    return make_##type(parts(HEDDLE_VV_##word));                                                   \
  }                                                                                                \
  HEDDLE_VECTOR type operator sign(type a, scalar b) {                                             \
    return make_##type(parts(HEDDLE_VS_##word));                                                   \
  }                                                                                                \
  HEDDLE_VECTOR type operator sign(scalar a, type b) {                                             \
    return make_##type(parts(HEDDLE_SV_##word));                                                   \
  }                                                                                                \
  HEDDLE_VECTOR void operator sign##=(type& a, type b) {                                           \
    a = a sign b;                                                                                  \
  }                                                                                                \
  HEDDLE_VECTOR void operator sign##=(type& a, scalar b) {                                         \
    a = a sign b;                                                                                  \
  }
#define HEDDLE_NEGATED(n) -a.n
#define HEDDLE_SAME(n) s
#define HEDDLE_LEAST(n) (a.n < b.n ? a.n : b.n)
#define HEDDLE_MOST(n) (a.n > b.n ? a.n : b.n)
#define HEDDLE_BETWEEN(n) clamp(v.n, a.n, b.n)
#define HEDDLE_BETWEEN_NUMBERS(n) clamp(v.n, a, b)

#if !defined(__cplusplus) || __cplusplus < 202002L // <math.h> has it from then on
HEDDLE_VECTOR float lerp(float a, float b, float t) {
  return a + t * (b - a);
}
#endif
HEDDLE_VECTOR float clamp(float v, float a, float b) {
  return fmaxf(a, fminf(v, b));
}
HEDDLE_VECTOR int clamp(int v, int a, int b) {
  return v < a ? a : v > b ? b : v;
}
HEDDLE_VECTOR uint clamp(uint v, uint a, uint b) {
  return v < a ? a : v > b ? b : v;
}

// What vectors of all types have. Those that are called min and max have other names for floats.
#define HEDDLE_COMMON(type, scalar, parts, least, most)                                            \
  HEDDLE_VECTOR type make_##type(scalar s) {                                                       \
    return make_##type(parts(HEDDLE_SAME));                                                        \
  }                                                                                                \
  HEDDLE_OPERATOR(type, scalar, parts, +, plus)                                                    \
  HEDDLE_OPERATOR(type, scalar, parts, -, minus)                                                   \
  HEDDLE_OPERATOR(type, scalar, parts, *, times)                                                   \
  HEDDLE_VECTOR type least(type a, type b) {                                                       \
    return make_##type(parts(HEDDLE_LEAST));                                                       \
  }                                                                                                \
  HEDDLE_VECTOR type most(type a, type b) {                                                        \
    return make_##type(parts(HEDDLE_MOST));                                                        \
  }                                                                                                \
  HEDDLE_VECTOR type clamp(type v, scalar a, scalar b) {                                           \
    return make_##type(parts(HEDDLE_BETWEEN_NUMBERS));                                             \
  }                                                                                                \
  HEDDLE_VECTOR type clamp(type v, type a, type b) {                                               \
    return make_##type(parts(HEDDLE_BETWEEN));                                                     \
  }
#define HEDDLE_SIGNED(type, parts)                                                                 \
  HEDDLE_VECTOR type operator-(const type& a) {                                                    \
    return make_##type(parts(HEDDLE_NEGATED));                                                     \
  }
#define HEDDLE_DOT2(type, scalar)                                                                  \
  HEDDLE_VECTOR scalar dot(type##2 a, type##2 b) {                                                 \
    return a.x * b.x + a.y * b.y;                                                                  \
  }                                                                                                \
  HEDDLE_VECTOR scalar dot(type##3 a, type##3 b) {                                                 \
    return a.x * b.x + a.y * b.y + a.z * b.z;                                                      \
  }                                                                                                \
  HEDDLE_VECTOR scalar dot(type##4 a, type##4 b) {                                                 \
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;                                          \
  }
HEDDLE_COMMON(float2, float, HEDDLE_PARTS2, fminf, fmaxf)
HEDDLE_COMMON(float3, float, HEDDLE_PARTS3, fminf, fmaxf)
HEDDLE_COMMON(float4, float, HEDDLE_PARTS4, fminf, fmaxf)
HEDDLE_COMMON(int2, int, HEDDLE_PARTS2, min, max)
HEDDLE_COMMON(int3, int, HEDDLE_PARTS3, min, max)
HEDDLE_COMMON(int4, int, HEDDLE_PARTS4, min, max)
HEDDLE_COMMON(uint2, uint, HEDDLE_PARTS2, min, max)
HEDDLE_COMMON(uint3, uint, HEDDLE_PARTS3, min, max)
HEDDLE_COMMON(uint4, uint, HEDDLE_PARTS4, min, max)
HEDDLE_SIGNED(float2, HEDDLE_PARTS2)
HEDDLE_SIGNED(float3, HEDDLE_PARTS3)
HEDDLE_SIGNED(float4, HEDDLE_PARTS4)
HEDDLE_SIGNED(int2, HEDDLE_PARTS2)
HEDDLE_SIGNED(int3, HEDDLE_PARTS3)
HEDDLE_SIGNED(int4, HEDDLE_PARTS4)
HEDDLE_DOT2(float, float)
HEDDLE_DOT2(int, int)
HEDDLE_DOT2(uint, uint)
HEDDLE_OPERATOR(float2, float, HEDDLE_PARTS2, /, over)
HEDDLE_OPERATOR(float3, float, HEDDLE_PARTS3, /, over)
HEDDLE_OPERATOR(float4, float, HEDDLE_PARTS4, /, over)

// From one type to another, and with a part left out or added.
#define HEDDLE_CONVERTED(n) (HEDDLE_TYPE) a.n
#define HEDDLE_TYPE float
HEDDLE_VECTOR float2 make_float2(int2 a) {
  return make_float2(HEDDLE_PARTS2(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR float3 make_float3(int3 a) {
  return make_float3(HEDDLE_PARTS3(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR float4 make_float4(int4 a) {
  return make_float4(HEDDLE_PARTS4(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR float2 make_float2(uint2 a) {
  return make_float2(HEDDLE_PARTS2(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR float3 make_float3(uint3 a) {
  return make_float3(HEDDLE_PARTS3(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR float4 make_float4(uint4 a) {
  return make_float4(HEDDLE_PARTS4(HEDDLE_CONVERTED));
}
#undef HEDDLE_TYPE
HEDDLE_VECTOR float2 make_float2(float3 a) {
  return make_float2(a.x, a.y);
}
HEDDLE_VECTOR float3 make_float3(float2 a) {
  return make_float3(a.x, a.y, float(0));
}
HEDDLE_VECTOR float3 make_float3(float2 a, float z) {
  return make_float3(a.x, a.y, z);
}
HEDDLE_VECTOR float3 make_float3(float4 a) {
  return make_float3(a.x, a.y, a.z);
}
HEDDLE_VECTOR float4 make_float4(float3 a) {
  return make_float4(a.x, a.y, a.z, float(0));
}
HEDDLE_VECTOR float4 make_float4(float3 a, float w) {
  return make_float4(a.x, a.y, a.z, w);
}
#define HEDDLE_TYPE int
HEDDLE_VECTOR int2 make_int2(float2 a) {
  return make_int2(HEDDLE_PARTS2(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR int3 make_int3(float3 a) {
  return make_int3(HEDDLE_PARTS3(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR int4 make_int4(float4 a) {
  return make_int4(HEDDLE_PARTS4(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR int2 make_int2(uint2 a) {
  return make_int2(HEDDLE_PARTS2(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR int3 make_int3(uint3 a) {
  return make_int3(HEDDLE_PARTS3(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR int4 make_int4(uint4 a) {
  return make_int4(HEDDLE_PARTS4(HEDDLE_CONVERTED));
}
#undef HEDDLE_TYPE
HEDDLE_VECTOR int2 make_int2(int3 a) {
  return make_int2(a.x, a.y);
}
HEDDLE_VECTOR int3 make_int3(int2 a) {
  return make_int3(a.x, a.y, int(0));
}
HEDDLE_VECTOR int3 make_int3(int2 a, int z) {
  return make_int3(a.x, a.y, z);
}
HEDDLE_VECTOR int3 make_int3(int4 a) {
  return make_int3(a.x, a.y, a.z);
}
HEDDLE_VECTOR int4 make_int4(int3 a) {
  return make_int4(a.x, a.y, a.z, int(0));
}
HEDDLE_VECTOR int4 make_int4(int3 a, int w) {
  return make_int4(a.x, a.y, a.z, w);
}
#define HEDDLE_TYPE uint
HEDDLE_VECTOR uint2 make_uint2(float2 a) {
  return make_uint2(HEDDLE_PARTS2(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR uint3 make_uint3(float3 a) {
  return make_uint3(HEDDLE_PARTS3(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR uint4 make_uint4(float4 a) {
  return make_uint4(HEDDLE_PARTS4(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR uint2 make_uint2(int2 a) {
  return make_uint2(HEDDLE_PARTS2(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR uint3 make_uint3(int3 a) {
  return make_uint3(HEDDLE_PARTS3(HEDDLE_CONVERTED));
}
HEDDLE_VECTOR uint4 make_uint4(int4 a) {
  return make_uint4(HEDDLE_PARTS4(HEDDLE_CONVERTED));
}
#undef HEDDLE_TYPE
HEDDLE_VECTOR uint2 make_uint2(uint3 a) {
  return make_uint2(a.x, a.y);
}
HEDDLE_VECTOR uint3 make_uint3(uint2 a) {
  return make_uint3(a.x, a.y, uint(0));
}
HEDDLE_VECTOR uint3 make_uint3(uint2 a, uint z) {
  return make_uint3(a.x, a.y, z);
}
HEDDLE_VECTOR uint3 make_uint3(uint4 a) {
  return make_uint3(a.x, a.y, a.z);
}
HEDDLE_VECTOR uint4 make_uint4(uint3 a) {
  return make_uint4(a.x, a.y, a.z, uint(0));
}
HEDDLE_VECTOR uint4 make_uint4(uint3 a, uint w) {
  return make_uint4(a.x, a.y, a.z, w);
}

// Vectors of floats as points and directions.
#define HEDDLE_OF_EACH(type, parts, name, function)                                                \
  HEDDLE_VECTOR type name(type v) {                                                                \
    return make_##type(parts(function));                                                           \
  }
#define HEDDLE_FLOOR(n) floorf(v.n)
#define HEDDLE_FRACTION(n) v.n - floorf(v.n)
#define HEDDLE_SIZE_OF(n) fabsf(v.n)
#define HEDDLE_MODULO(n) fmodf(a.n, b.n)
#define HEDDLE_SMOOTH(n) smoothstep(a.n, b.n, x.n)
HEDDLE_VECTOR float fracf(float v) {
  return v - floorf(v);
}
HEDDLE_VECTOR float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}
#define HEDDLE_SPACE(type, parts)                                                                  \
  HEDDLE_VECTOR type lerp(type a, type b, float t) {                                               \
    return a + t * (b - a);                                                                        \
  }                                                                                                \
  HEDDLE_VECTOR float length(type v) {                                                             \
    return sqrtf(dot(v, v));                                                                       \
  }                                                                                                \
  HEDDLE_VECTOR type normalize(type v) {                                                           \
    return v * (1.0f / sqrtf(dot(v, v)));                                                          \
  }                                                                                                \
  HEDDLE_OF_EACH(type, parts, floorf, HEDDLE_FLOOR)                                                \
  HEDDLE_OF_EACH(type, parts, fracf, HEDDLE_FRACTION)                                              \
  HEDDLE_OF_EACH(type, parts, fabs, HEDDLE_SIZE_OF)                                                \
  HEDDLE_VECTOR type fmodf(type a, type b) {                                                       \
    return make_##type(parts(HEDDLE_MODULO));                                                      \
  }                                                                                                \
  HEDDLE_VECTOR type smoothstep(type a, type b, type x) {                                          \
    return make_##type(parts(HEDDLE_SMOOTH));                                                      \
  }
HEDDLE_SPACE(float2, HEDDLE_PARTS2)
HEDDLE_SPACE(float3, HEDDLE_PARTS3)
HEDDLE_SPACE(float4, HEDDLE_PARTS4)

HEDDLE_VECTOR float3 reflect(float3 direction, float3 normal) {
  return direction - 2.0f * normal * dot(normal, direction);
}
HEDDLE_VECTOR float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#undef HEDDLE_BETWEEN
#undef HEDDLE_BETWEEN_NUMBERS
#undef HEDDLE_COMMON
#undef HEDDLE_CONVERTED
#undef HEDDLE_DOT2
#undef HEDDLE_FLOOR
#undef HEDDLE_FRACTION
#undef HEDDLE_LEAST
#undef HEDDLE_MODULO
#undef HEDDLE_MOST
#undef HEDDLE_NEGATED
#undef HEDDLE_OF_EACH
#undef HEDDLE_OPERATOR
#undef HEDDLE_PARTS2
#undef HEDDLE_PARTS3
#undef HEDDLE_PARTS4
#undef HEDDLE_SAME
#undef HEDDLE_SIGNED
#undef HEDDLE_SIZE_OF
#undef HEDDLE_SMOOTH
#undef HEDDLE_SPACE
#undef HEDDLE_SV_minus
#undef HEDDLE_SV_over
#undef HEDDLE_SV_plus
#undef HEDDLE_SV_times
#undef HEDDLE_VECTOR
#undef HEDDLE_VS_minus
#undef HEDDLE_VS_over
#undef HEDDLE_VS_plus
#undef HEDDLE_VS_times
#undef HEDDLE_VV_minus
#undef HEDDLE_VV_over
#undef HEDDLE_VV_plus
#undef HEDDLE_VV_times

#endif
