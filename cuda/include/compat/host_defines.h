// SPDX-License-Identifier: Apache-2.0
//
// The qualifiers of CUDA C++ as clang's attributes; nothing in plain C and C++ files.
#ifndef HEDDLE_COMPAT_HOST_DEFINES_H
#define HEDDLE_COMPAT_HOST_DEFINES_H
#define __HOST_DEFINES_H__ // else Thrust thinks that there are no qualifiers, and drops them

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#if defined(__CUDA__) && !defined(__CUDA_ARCH__)
#define __shared__ // host code has none; clang refuses those with a constructor, as cuda::barrier
#else
#define __shared__ __attribute__((shared))
#endif
#define __constant__ __attribute__((constant))
// Clang has no such variables in CUDA: it makes one for the host and one for the device. The
// runtime gives both the memory of the host's, which it knows by its section.
#define __managed__ __attribute__((device, section("heddle_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
// Clang 19 knows no clusters; Heddle reads the annotation.
#define __cluster_dims__(...) __attribute__((annotate("heddle.cluster_dims", __VA_ARGS__)))
#else
#define __host__
#define __device__
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDARTAPI_CDECL
// What a toolkit's headers say of themselves, where a program includes some that we have not.
#define __no_return__ __attribute__((noreturn))
#define __nv_pure__ __attribute__((pure))
#define __annotate__(a) __attribute__((a))
#define __location__(a) __annotate__(a)
#define __specialization_static
#define __inline_hint__
#define __maxnreg__(n)
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
#define CUDART_CB
#define CUDAAPI

#endif
