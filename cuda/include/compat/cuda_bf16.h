// SPDX-License-Identifier: Apache-2.0
//
// bfloat16 and pairs of it: their types, and all that heddle_small_*.inc says of them.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_fp16.h"

#ifdef __cplusplus

#define HEDDLE_NUMBER __nv_bfloat16
#define HEDDLE_PAIR __nv_bfloat162
#define HEDDLE_RAW __nv_bfloat16_raw
#define HEDDLE_PAIR_RAW __nv_bfloat162_raw
#define HEDDLE_OTHER_NUMBER __half
#define HEDDLE_FORMAT heddle_small::Bfloat
#define HEDDLE_PTX "bf16"
#define HEDDLE_WORD bfloat16
#define HEDDLE_IF_HALF(yes, no) no
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define HEDDLE_CONVERTS 1
#endif
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
#define HEDDLE_OPERATES 1
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
#define HEDDLE_PAIR_OPERATES 1
#endif
#include "heddle_small_types.inc"

#include "heddle_small_functions.inc"
#ifdef __CUDA__
#include "heddle_small_device.inc"
#endif
#include "heddle_small_end.inc"

#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
inline HEDDLE_METHOD __nv_bfloat16::__nv_bfloat16(const __half value)
    : __x(__bfloat16_as_ushort(__float2bfloat16(__half2float(value)))) {}
#endif
#ifndef __CUDA_NO_HALF_CONVERSIONS__
inline HEDDLE_METHOD __half::__half(const __nv_bfloat16 value)
    : __x(__half_as_ushort(__float2half(__bfloat162float(value)))) {}
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

#ifndef CUDA_NO_BFLOAT16
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

#endif
#endif
