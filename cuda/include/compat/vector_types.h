// SPDX-License-Identifier: Apache-2.0
//
// char1 to double4 and dim3, laid out and aligned as CUDA does.
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "host_defines.h"

// A type of 1, 2 and 4 elements is aligned to its size, up to 16 bytes; one of 3 to its element.
#define HEDDLE_VECTOR_TYPES(type, name, align2, align4)                                            \
  struct name##1 {                                                                                 \
    type x;                                                                                        \
  };                                                                                               \
  struct __attribute__((aligned(align2))) name##2 {                                                \
    type x, y;                                                                                     \
  };                                                                                               \
  struct name##3 {                                                                                 \
    type x, y, z;                                                                                  \
  };                                                                                               \
  struct __attribute__((aligned(align4))) name##4 {                                                \
    type x, y, z, w;                                                                               \
  };                                                                                               \
  typedef struct name##1 name##1;                                                                  \
  typedef struct name##2 name##2;                                                                  \
  typedef struct name##3 name##3;                                                                  \
  typedef struct name##4 name##4;

HEDDLE_VECTOR_TYPES(signed char, char, 2, 4)
HEDDLE_VECTOR_TYPES(unsigned char, uchar, 2, 4)
HEDDLE_VECTOR_TYPES(short, short, 4, 8)
HEDDLE_VECTOR_TYPES(unsigned short, ushort, 4, 8)
HEDDLE_VECTOR_TYPES(int, int, 8, 16)
HEDDLE_VECTOR_TYPES(unsigned int, uint, 8, 16)
HEDDLE_VECTOR_TYPES(long, long, 16, 16)
HEDDLE_VECTOR_TYPES(unsigned long, ulong, 16, 16)
HEDDLE_VECTOR_TYPES(long long, longlong, 16, 16)
HEDDLE_VECTOR_TYPES(unsigned long long, ulonglong, 16, 16)
HEDDLE_VECTOR_TYPES(float, float, 8, 16)
HEDDLE_VECTOR_TYPES(double, double, 16, 16)
#undef HEDDLE_VECTOR_TYPES

// CUDA 13's, of 32 bytes; its headers of small numbers name them.
#define HEDDLE_WIDE_TYPES(type, name)                                                              \
  struct __attribute__((aligned(16))) name##4_16a {                                                \
    type x, y, z, w;                                                                               \
  };                                                                                               \
  struct __attribute__((aligned(32))) name##4_32a {                                                \
    type x, y, z, w;                                                                               \
  };                                                                                               \
  typedef struct name##4_16a name##4_16a;                                                          \
  typedef struct name##4_32a name##4_32a;

HEDDLE_WIDE_TYPES(long, long)
HEDDLE_WIDE_TYPES(unsigned long, ulong)
HEDDLE_WIDE_TYPES(long long, longlong)
HEDDLE_WIDE_TYPES(unsigned long long, ulonglong)
HEDDLE_WIDE_TYPES(double, double)
#undef HEDDLE_WIDE_TYPES

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
