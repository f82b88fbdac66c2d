// SPDX-License-Identifier: Apache-2.0
//
// Streams of device code that launches kernels, and what Thrust names for it; its old launches are
// not run. heddle_launches.h has the functions.
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "driver_types.h"

#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

#if defined(__cplusplus) && defined(__CUDA__)
extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block,
                                        unsigned int shared, cudaStream_t stream);
}
#endif

#endif
