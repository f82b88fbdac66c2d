// SPDX-License-Identifier: Apache-2.0
//
// make_int4 and its relatives.
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define HEDDLE_MAKE(type, name)                                                                    \
  static __inline__ __host__ __device__ name##1 make_##name##1(type x) {                           \
    name##1 v = {x};                                                                               \
    return v;                                                                                      \
  }                                                                                                \
  static __inline__ __host__ __device__ name##2 make_##name##2(type x, type y) {                   \
    name##2 v = {x, y};                                                                            \
    return v;                                                                                      \
  }                                                                                                \
  static __inline__ __host__ __device__ name##3 make_##name##3(type x, type y, type z) {           \
    name##3 v = {x, y, z};                                                                         \
    return v;                                                                                      \
  }                                                                                                \
  static __inline__ __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) {   \
    name##4 v = {x, y, z, w};                                                                      \
    return v;                                                                                      \
  }

HEDDLE_MAKE(signed char, char)
HEDDLE_MAKE(unsigned char, uchar)
HEDDLE_MAKE(short, short)
HEDDLE_MAKE(unsigned short, ushort)
HEDDLE_MAKE(int, int)
HEDDLE_MAKE(unsigned int, uint)
HEDDLE_MAKE(long, long)
HEDDLE_MAKE(unsigned long, ulong)
HEDDLE_MAKE(long long, longlong)
HEDDLE_MAKE(unsigned long long, ulonglong)
HEDDLE_MAKE(float, float)
HEDDLE_MAKE(double, double)
#undef HEDDLE_MAKE

#endif
