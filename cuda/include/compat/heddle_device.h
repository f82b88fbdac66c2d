// SPDX-License-Identifier: Apache-2.0
//
// Device functions that are not math: what the engine provides, and address space queries.
#ifndef HEDDLE_COMPAT_DEVICE_H
#define HEDDLE_COMPAT_DEVICE_H

extern "C" {
__attribute__((device)) int printf(const char* format, ...); // clang makes vprintf of it
__attribute__((device)) int vprintf(const char* format, const char* arguments);
__attribute__((device)) void __assertfail(const char* message, const char* file, unsigned int line,
                                          const char* function, size_t charSize)
    __attribute__((noreturn));

__attribute__((device)) void* malloc(size_t size) __attribute__((malloc));
__attribute__((device)) void free(void* pointer);

// glibc's assert calls this one; on the device it becomes the call above.
__attribute__((device)) inline void __assert_fail(const char* message, const char* file,
                                                  unsigned int line, const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

#include <new> // clang adds those of device code, over its malloc

// Loads and stores with a hint for the caches: of every type that has them, halves in their own
// headers. The hint is not modelled.
#define HEDDLE_HINTED_LOAD(name)                                                                   \
  template <class T> static __inline__ __attribute__((device)) T name(const T* address) {          \
    return *address;                                                                               \
  }
HEDDLE_HINTED_LOAD(__ldca)
HEDDLE_HINTED_LOAD(__ldcg)
HEDDLE_HINTED_LOAD(__ldcs)
HEDDLE_HINTED_LOAD(__ldlu)
HEDDLE_HINTED_LOAD(__ldcv)
#undef HEDDLE_HINTED_LOAD
template <class T> struct __heddle_same { // of the address alone: a store converts its value
  typedef T type;
};
#define HEDDLE_HINTED_STORE(name)                                                                  \
  template <class T>                                                                               \
  static __inline__ __attribute__((device)) void name(T* address,                                  \
                                                      typename __heddle_same<T>::type value) {     \
    *address = value;                                                                              \
  }
HEDDLE_HINTED_STORE(__stwb)
HEDDLE_HINTED_STORE(__stcg)
HEDDLE_HINTED_STORE(__stcs)
HEDDLE_HINTED_STORE(__stwt)
#undef HEDDLE_HINTED_STORE

static __inline__ __attribute__((device)) unsigned int __isGlobal(const void* pointer) {
  return __nvvm_isspacep_global(pointer);
}
static __inline__ __attribute__((device)) unsigned int __isShared(const void* pointer) {
  return __nvvm_isspacep_shared(pointer);
}
static __inline__ __attribute__((device)) unsigned int __isConstant(const void* pointer) {
  return __nvvm_isspacep_const(pointer);
}
static __inline__ __attribute__((device)) unsigned int __isLocal(const void* pointer) {
  return __nvvm_isspacep_local(pointer);
}
static __inline__ __attribute__((device)) size_t __cvta_generic_to_shared(const void* pointer) {
  return (size_t)(__attribute__((address_space(3))) const void*)pointer;
}
static __inline__ __attribute__((device)) size_t __cvta_generic_to_global(const void* pointer) {
  return (size_t)(__attribute__((address_space(1))) const void*)pointer;
}
static __inline__ __attribute__((device)) size_t __cvta_generic_to_constant(const void* pointer) {
  return (size_t)(__attribute__((address_space(4))) const void*)pointer;
}
static __inline__ __attribute__((device)) size_t __cvta_generic_to_local(const void* pointer) {
  return (size_t)(__attribute__((address_space(5))) const void*)pointer;
}
static __inline__ __attribute__((device)) void* __cvta_global_to_generic(size_t address) {
  return (void*)(__attribute__((address_space(1))) void*)address;
}
static __inline__ __attribute__((device)) void* __cvta_shared_to_generic(size_t address) {
  return (void*)(__attribute__((address_space(3))) void*)address;
}
static __inline__ __attribute__((device)) void* __cvta_constant_to_generic(size_t address) {
  return (void*)(__attribute__((address_space(4))) void*)address;
}
static __inline__ __attribute__((device)) void* __cvta_local_to_generic(size_t address) {
  return (void*)(__attribute__((address_space(5))) void*)address;
}

static __inline__ __attribute__((device)) void __nanosleep(unsigned int nanoseconds) {
  __nvvm_nanosleep(nanoseconds);
}

#endif
