// SPDX-License-Identifier: Apache-2.0
//
// Names for objects of CUDA: see nvToolsExt.h.
#ifndef HEDDLE_COMPAT_NVTOOLSEXTCUDART
#define HEDDLE_COMPAT_NVTOOLSEXTCUDART
#include "../cuda_runtime_api.h"
#include "nvToolsExt.h"
static inline void nvtxNameCudaDeviceA(int device, const char* name) {
  (void)device, (void)name;
}
static inline void nvtxNameCudaStreamA(cudaStream_t stream, const char* name) {
  (void)stream, (void)name;
}
static inline void nvtxNameCudaEventA(cudaEvent_t event, const char* name) {
  (void)event, (void)name;
}
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif
