// SPDX-License-Identifier: Apache-2.0
//
// half and half2: their types, and all that heddle_small_*.inc says of them.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime.h"

#ifdef __cplusplus

#include "heddle_small.h"

struct __nv_bfloat16;

#define HEDDLE_NUMBER __half
#define HEDDLE_PAIR __half2
#define HEDDLE_RAW __half_raw
#define HEDDLE_PAIR_RAW __half2_raw
#define HEDDLE_OTHER_NUMBER __nv_bfloat16
#define HEDDLE_FORMAT heddle_small::Half
#define HEDDLE_PTX "f16"
#define HEDDLE_WORD half
#define HEDDLE_IF_HALF(yes, no) yes
#ifndef __CUDA_NO_HALF_CONVERSIONS__
#define HEDDLE_CONVERTS 1
#endif
#ifndef __CUDA_NO_HALF_OPERATORS__
#define HEDDLE_OPERATES 1
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
#define HEDDLE_PAIR_OPERATES 1
#endif
#include "heddle_small_types.inc"

#include "heddle_small_functions.inc"
#ifdef __CUDA__
#include "heddle_small_device.inc"
#endif
#include "heddle_small_end.inc"

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

#endif
#endif
