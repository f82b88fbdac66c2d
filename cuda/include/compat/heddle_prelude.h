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

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits.h>
#include <math.h>

#include "cuda.h"

#include "vector_types.h"

#include "vector_functions.h"

#include <__clang_cuda_builtin_vars.h>

#include "cuda_runtime.h"

#include <__clang_cuda_libdevice_declares.h>

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

#include <__clang_cuda_cmath.h>

#include "heddle_device.h"

#include <__clang_cuda_complex_builtins.h>
#include <__clang_cuda_intrinsics.h>

#include "heddle_atomics.h"
#include "heddle_math.h"

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
