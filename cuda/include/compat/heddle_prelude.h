// SPDX-License-Identifier: Apache-2.0
//
// Included before every CUDA source: what nvcc makes known without an #include. Clang's own device
// headers do most of the work; they expect the rest from a toolkit, and find ours. The order is
// what they need.
#ifndef HEDDLE_COMPAT_PRELUDE_H
#define HEDDLE_COMPAT_PRELUDE_H

#include "host_defines.h"

#include <__clang_cuda_math_forward_declares.h>

#define __CUDACC__ 1 // libstdc++ leaves out __float128 when it sees this
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 5

#ifndef __CUDA_ARCH_LIST__ // else nvcc's device code has said it
#define __CUDA_ARCH_LIST__ 900
#endif

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime> // so does a toolkit's
#include <initializer_list>
#include <limits.h>
#include <math.h>

#include "cuda.h"

#include "vector_types.h"

#include "vector_functions.h"

#include <__clang_cuda_builtin_vars.h>

#include "cuda_runtime.h"

// Clang has the functions on parts of a word as inline PTX, but for these versions of CUDA as
// calls.
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9010
#include <__clang_cuda_libdevice_declares.h>

#include <__clang_cuda_device_functions.h>
#pragma pop_macro("CUDA_VERSION")
#include <__clang_cuda_math.h>

#include <__clang_cuda_cmath.h>

#include "heddle_device.h"
#include "heddle_launches.h"
#include "heddle_shared.h"

#include <__clang_cuda_complex_builtins.h>
// Funnel shifts are inline PTX too: ours take their names.
#define __funnelshift_l __heddle_ptx_funnelshift_l
#define __funnelshift_lc __heddle_ptx_funnelshift_lc
#define __funnelshift_r __heddle_ptx_funnelshift_r
#define __funnelshift_rc __heddle_ptx_funnelshift_rc
// Clang passes mask and value of a reduction the wrong way round.
#define __nvvm_redux_sync_add(mask, value) __nvvm_redux_sync_add(value, mask)
#define __nvvm_redux_sync_min(mask, value) __nvvm_redux_sync_min(value, mask)
#define __nvvm_redux_sync_max(mask, value) __nvvm_redux_sync_max(value, mask)
#define __nvvm_redux_sync_umin(mask, value) __nvvm_redux_sync_umin(value, mask)
#define __nvvm_redux_sync_umax(mask, value) __nvvm_redux_sync_umax(value, mask)
#define __nvvm_redux_sync_and(mask, value) __nvvm_redux_sync_and(value, mask)
#define __nvvm_redux_sync_or(mask, value) __nvvm_redux_sync_or(value, mask)
#define __nvvm_redux_sync_xor(mask, value) __nvvm_redux_sync_xor(value, mask)
#include <__clang_cuda_intrinsics.h>
#undef __nvvm_redux_sync_add
#undef __nvvm_redux_sync_min
#undef __nvvm_redux_sync_max
#undef __nvvm_redux_sync_umin
#undef __nvvm_redux_sync_umax
#undef __nvvm_redux_sync_and
#undef __nvvm_redux_sync_or
#undef __nvvm_redux_sync_xor
#undef __funnelshift_l
#undef __funnelshift_lc
#undef __funnelshift_r
#undef __funnelshift_rc

#include "heddle_atomics.h"
#include "heddle_math.h"
#include "heddle_simd.h"
#include "heddle_textures.h"

#ifndef __CUDA_ARCH__
// Where the linker put the __managed__ variables, if there are any.
extern "C" {
extern const char __start_heddle_managed[] __attribute__((weak));
extern const char __stop_heddle_managed[] __attribute__((weak));
void __cudaHeddleManaged(const void* begin, const void* end) __attribute__((weak));
__attribute__((constructor(101), weak)) void __heddle_announce_managed() {
  if (__start_heddle_managed != nullptr && __cudaHeddleManaged != nullptr)
    __cudaHeddleManaged(__start_heddle_managed, __stop_heddle_managed);
}
}
#ifdef __HEDDLE_RELOCATABLE__
// Clang embeds the device code of a file only where it has a kernel or a variable; a file of
// functions that others call gets one here. The runtime library passes over it.
static __attribute__((device, used)) char __heddle_file;
#endif
#endif

// The built-in variables convert to what CUDA says they are.
__attribute__((device)) inline __cuda_builtin_threadIdx_t::operator dim3() const {
  return dim3(x, y, z);
}
__attribute__((device)) inline __cuda_builtin_threadIdx_t::operator uint3() const {
  return uint3{x, y, z};
}
__attribute__((device)) inline __cuda_builtin_blockIdx_t::operator dim3() const {
  return dim3(x, y, z);
}
__attribute__((device)) inline __cuda_builtin_blockIdx_t::operator uint3() const {
  return uint3{x, y, z};
}
__attribute__((device)) inline __cuda_builtin_blockDim_t::operator dim3() const {
  return dim3(x, y, z);
}
__attribute__((device)) inline __cuda_builtin_blockDim_t::operator uint3() const {
  return uint3{x, y, z};
}
__attribute__((device)) inline __cuda_builtin_gridDim_t::operator dim3() const {
  return dim3(x, y, z);
}
__attribute__((device)) inline __cuda_builtin_gridDim_t::operator uint3() const {
  return uint3{x, y, z};
}

#endif
