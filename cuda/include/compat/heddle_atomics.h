// SPDX-License-Identifier: Apache-2.0
//
// atomicAdd and its relatives over the primitives of clang's device headers. Each also has the
// _block and _system forms, which are the same here: the engine has one memory, and clang's own
// scoped minimum and maximum forget whether a number is signed.
#ifndef HEDDLE_COMPAT_ATOMICS_H
#define HEDDLE_COMPAT_ATOMICS_H

// One operation on one type, in the three scopes.
#define HEDDLE_ATOMIC(operation, type, primitive)                                                  \
  static __inline__ __device__ type atomic##operation(type* address, type value) {                 \
    return primitive(address, value);                                                              \
  }                                                                                                \
  static __inline__ __device__ type atomic##operation##_block(type* address, type value) {         \
    return primitive(address, value);                                                              \
  }                                                                                                \
  static __inline__ __device__ type atomic##operation##_system(type* address, type value) {        \
    return primitive(address, value);                                                              \
  }

HEDDLE_ATOMIC(Add, int, __iAtomicAdd)
HEDDLE_ATOMIC(Add, unsigned int, __uAtomicAdd)
HEDDLE_ATOMIC(Add, unsigned long long, __ullAtomicAdd)
HEDDLE_ATOMIC(Add, float, __fAtomicAdd)
HEDDLE_ATOMIC(Add, double, __dAtomicAdd)
HEDDLE_ATOMIC(Exch, int, __iAtomicExch)
HEDDLE_ATOMIC(Exch, unsigned int, __uAtomicExch)
HEDDLE_ATOMIC(Exch, unsigned long long, __ullAtomicExch)
HEDDLE_ATOMIC(Exch, float, __fAtomicExch)
HEDDLE_ATOMIC(Min, int, __iAtomicMin)
HEDDLE_ATOMIC(Min, unsigned int, __uAtomicMin)
HEDDLE_ATOMIC(Min, long long, __illAtomicMin)
HEDDLE_ATOMIC(Min, unsigned long long, __ullAtomicMin)
HEDDLE_ATOMIC(Max, int, __iAtomicMax)
HEDDLE_ATOMIC(Max, unsigned int, __uAtomicMax)
HEDDLE_ATOMIC(Max, long long, __illAtomicMax)
HEDDLE_ATOMIC(Max, unsigned long long, __ullAtomicMax)
HEDDLE_ATOMIC(And, int, __iAtomicAnd)
HEDDLE_ATOMIC(And, unsigned int, __uAtomicAnd)
HEDDLE_ATOMIC(And, unsigned long long, __ullAtomicAnd)
HEDDLE_ATOMIC(Or, int, __iAtomicOr)
HEDDLE_ATOMIC(Or, unsigned int, __uAtomicOr)
HEDDLE_ATOMIC(Or, unsigned long long, __ullAtomicOr)
HEDDLE_ATOMIC(Xor, int, __iAtomicXor)
HEDDLE_ATOMIC(Xor, unsigned int, __uAtomicXor)
HEDDLE_ATOMIC(Xor, unsigned long long, __ullAtomicXor)
HEDDLE_ATOMIC(Inc, unsigned int, __uAtomicInc)
HEDDLE_ATOMIC(Dec, unsigned int, __uAtomicDec)
#undef HEDDLE_ATOMIC

// There is no subtraction: it is the addition of the negated value.
#define HEDDLE_ATOMIC_SUB(type, primitive)                                                         \
  static __inline__ __device__ type atomicSub(type* address, type value) {                         \
    return primitive(address, -value);                                                             \
  }                                                                                                \
  static __inline__ __device__ type atomicSub_block(type* address, type value) {                   \
    return primitive(address, -value);                                                             \
  }                                                                                                \
  static __inline__ __device__ type atomicSub_system(type* address, type value) {                  \
    return primitive(address, -value);                                                             \
  }

HEDDLE_ATOMIC_SUB(int, __iAtomicAdd)
HEDDLE_ATOMIC_SUB(unsigned int, __uAtomicAdd)
#undef HEDDLE_ATOMIC_SUB

#define HEDDLE_ATOMIC_CAS(type, primitive)                                                         \
  static __inline__ __device__ type atomicCAS(type* address, type compare, type value) {           \
    return primitive(address, compare, value);                                                     \
  }                                                                                                \
  static __inline__ __device__ type atomicCAS_block(type* address, type compare, type value) {     \
    return primitive(address, compare, value);                                                     \
  }                                                                                                \
  static __inline__ __device__ type atomicCAS_system(type* address, type compare, type value) {    \
    return primitive(address, compare, value);                                                     \
  }

HEDDLE_ATOMIC_CAS(unsigned short, __sync_val_compare_and_swap)
HEDDLE_ATOMIC_CAS(int, __iAtomicCAS)
HEDDLE_ATOMIC_CAS(unsigned int, __uAtomicCAS)
HEDDLE_ATOMIC_CAS(unsigned long long, __ullAtomicCAS)
#undef HEDDLE_ATOMIC_CAS

#endif
