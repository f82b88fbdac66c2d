// SPDX-License-Identifier: Apache-2.0
//
// What programs take from the driver API beside the runtime API: devices, contexts, memory, streams
// and events. Modules are not provided, so that a program which loads one does not compile.
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#define CUDA_VERSION 12050

#include <stdint.h>
#include <string.h>

#include "cuda_runtime_api.h"

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

// The numbers are those of cudaError_t.
typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999
} CUresult;

// So are those of cudaDeviceAttr.
typedef enum CUdevice_attribute_enum {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
  CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
  CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97
} CUdevice_attribute;

enum { CU_CTX_SCHED_AUTO = 0, CU_CTX_SCHED_SPIN = 1, CU_CTX_MAP_HOST = 8 };
enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 };
enum { CU_EVENT_DEFAULT = 0, CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_DISABLE_TIMING = 2 };

#define HEDDLE_DRIVER(name, parameters, body)                                                      \
  static __inline__ CUresult name parameters {                                                     \
    return (CUresult)(body);                                                                       \
  }

HEDDLE_DRIVER(cuInit, (unsigned flags), flags == 0 ? cudaSuccess : cudaErrorInvalidValue)
HEDDLE_DRIVER(cuDriverGetVersion, (int* version), cudaDriverGetVersion(version))
HEDDLE_DRIVER(cuDeviceGetCount, (int* count), cudaGetDeviceCount(count))
HEDDLE_DRIVER(cuDeviceGetAttribute, (int* value, CUdevice_attribute attribute, CUdevice device),
              cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device))

static __inline__ CUresult cuDeviceGet(CUdevice* device, int number) {
  if (number != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  *device = number;
  return CUDA_SUCCESS;
}

static __inline__ CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  struct cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess && length > 0) {
    strncpy(name, properties.name, (size_t)length - 1);
    name[length - 1] = 0;
  }
  return (CUresult)error;
}

static __inline__ CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  struct cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess)
    *bytes = properties.totalGlobalMem;
  return (CUresult)error;
}

// There is one context, the device's own.
static __inline__ CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = (CUcontext)(size_t)1;
  return CUDA_SUCCESS;
}
static __inline__ CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  (void)flags;
  return device == 0 ? cuCtxGetCurrent(context) : CUDA_ERROR_INVALID_DEVICE;
}
static __inline__ CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return cuCtxCreate(context, 0, device);
}
static __inline__ CUresult cuCtxGetDevice(CUdevice* device) {
  return cuDeviceGet(device, 0);
}
HEDDLE_DRIVER(cuCtxSetCurrent, (CUcontext context), ((void)context, cudaSuccess))
HEDDLE_DRIVER(cuCtxPushCurrent, (CUcontext context), ((void)context, cudaSuccess))
HEDDLE_DRIVER(cuCtxDestroy, (CUcontext context), ((void)context, cudaSuccess))
HEDDLE_DRIVER(cuDevicePrimaryCtxRelease, (CUdevice device), ((void)device, cudaSuccess))
HEDDLE_DRIVER(cuCtxSynchronize, (void), cudaDeviceSynchronize())

HEDDLE_DRIVER(cuMemAlloc, (CUdeviceptr * address, size_t bytes), cudaMalloc((void**)address, bytes))
HEDDLE_DRIVER(cuMemFree, (CUdeviceptr address), cudaFree((void*)address))
HEDDLE_DRIVER(cuMemAllocHost, (void** address, size_t bytes), cudaMallocHost(address, bytes))
HEDDLE_DRIVER(cuMemFreeHost, (void* address), cudaFreeHost(address))
HEDDLE_DRIVER(cuMemGetInfo, (size_t* available, size_t* all), cudaMemGetInfo(available, all))
HEDDLE_DRIVER(cuMemcpyHtoD, (CUdeviceptr to, const void* from, size_t bytes),
              cudaMemcpy((void*)to, from, bytes, cudaMemcpyHostToDevice))
HEDDLE_DRIVER(cuMemcpyDtoH, (void* to, CUdeviceptr from, size_t bytes),
              cudaMemcpy(to, (const void*)from, bytes, cudaMemcpyDeviceToHost))
HEDDLE_DRIVER(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
              cudaMemcpy((void*)to, (const void*)from, bytes, cudaMemcpyDeviceToDevice))
HEDDLE_DRIVER(cuMemcpyHtoDAsync, (CUdeviceptr to, const void* from, size_t bytes, CUstream stream),
              cudaMemcpyAsync((void*)to, from, bytes, cudaMemcpyHostToDevice, stream))
HEDDLE_DRIVER(cuMemcpyDtoHAsync, (void* to, CUdeviceptr from, size_t bytes, CUstream stream),
              cudaMemcpyAsync(to, (const void*)from, bytes, cudaMemcpyDeviceToHost, stream))
HEDDLE_DRIVER(cuMemsetD8, (CUdeviceptr at, unsigned char value, size_t count),
              cudaMemset((void*)at, value, count))

HEDDLE_DRIVER(cuStreamCreate, (CUstream * stream, unsigned flags),
              cudaStreamCreateWithFlags(stream, flags))
HEDDLE_DRIVER(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
HEDDLE_DRIVER(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
HEDDLE_DRIVER(cuEventCreate, (CUevent * event, unsigned flags),
              cudaEventCreateWithFlags(event, flags))
HEDDLE_DRIVER(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
HEDDLE_DRIVER(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
HEDDLE_DRIVER(cuEventElapsedTime, (float* milliseconds, CUevent from, CUevent to),
              cudaEventElapsedTime(milliseconds, from, to))
HEDDLE_DRIVER(cuEventDestroy, (CUevent event), cudaEventDestroy(event))

#undef HEDDLE_DRIVER

static __inline__ CUresult cuGetErrorName(CUresult error, const char** text) {
  *text = cudaGetErrorName((cudaError_t)error);
  return CUDA_SUCCESS;
}
static __inline__ CUresult cuGetErrorString(CUresult error, const char** text) {
  *text = cudaGetErrorString((cudaError_t)error);
  return CUDA_SUCCESS;
}

#endif
