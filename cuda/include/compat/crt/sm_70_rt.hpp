// SPDX-License-Identifier: Apache-2.0
//
// The match intrinsics, which clang's headers expect from the toolkit.
#ifndef __SM_70_RT_HPP__
#define __SM_70_RT_HPP__

#define HEDDLE_MATCH32(type)                                                                       \
  static __inline__ __device__ unsigned int __match_any_sync(unsigned int mask, type value) {      \
    return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(unsigned int, value));               \
  }                                                                                                \
  static __inline__ __device__ unsigned int __match_all_sync(unsigned int mask, type value,        \
                                                             int* predicate) {                     \
    return __nvvm_match_all_sync_i32p(mask, __builtin_bit_cast(unsigned int, value), predicate);   \
  }
#define HEDDLE_MATCH64(type)                                                                       \
  static __inline__ __device__ unsigned int __match_any_sync(unsigned int mask, type value) {      \
    return __nvvm_match_any_sync_i64(mask, __builtin_bit_cast(unsigned long long, value));         \
  }                                                                                                \
  static __inline__ __device__ unsigned int __match_all_sync(unsigned int mask, type value,        \
                                                             int* predicate) {                     \
    return __nvvm_match_all_sync_i64p(mask, __builtin_bit_cast(unsigned long long, value),         \
                                      predicate);                                                  \
  }

HEDDLE_MATCH32(int)
HEDDLE_MATCH32(unsigned int)
HEDDLE_MATCH32(float)
HEDDLE_MATCH64(long)
HEDDLE_MATCH64(unsigned long)
HEDDLE_MATCH64(long long)
HEDDLE_MATCH64(unsigned long long)
HEDDLE_MATCH64(double)
#undef HEDDLE_MATCH32
#undef HEDDLE_MATCH64

#endif
