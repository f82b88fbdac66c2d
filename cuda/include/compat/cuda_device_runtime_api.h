// SPDX-License-Identifier: Apache-2.0
//
// What Thrust names for device code that launches kernels; no such code is run.
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "driver_types.h"

#if defined(__cplusplus) && defined(__CUDA__)
extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block,
                                        unsigned int shared, cudaStream_t stream);
}
#endif

#endif
