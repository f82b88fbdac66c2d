// SPDX-License-Identifier: Apache-2.0
//
// The qualifiers of CUDA C++ as clang's attributes; nothing in plain C and C++ files.
#ifndef HEDDLE_COMPAT_HOST_DEFINES_H
#define HEDDLE_COMPAT_HOST_DEFINES_H

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// clang ignores the attribute in CUDA: host and device would silently have a variable each.
#define __managed__ _Pragma("GCC error \"__managed__ variables are not supported yet\"")
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#else
#define __host__
#define __device__
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI

#endif
