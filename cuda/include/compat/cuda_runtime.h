// SPDX-License-Identifier: Apache-2.0
//
// The runtime API with its C++ conveniences: typed pointers, symbols and kernels.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "cuda_device_runtime_api.h"
#include "cuda_runtime_api.h"
#include "device_types.h"
#include "host_defines.h"
#include "library_types.h"
#include "vector_functions.h"
#include "vector_types.h"

#ifdef __cplusplus

#include <utility> // as a toolkit's does

template <class T> cudaError_t cudaMalloc(T** pointer, size_t size) {
  return cudaMalloc((void**)pointer, size);
}
template <class T> cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned int = 0) {
  return cudaMallocHost((void**)pointer, size);
}
template <class T> cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return cudaHostAlloc((void**)pointer, size, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer((void**)device, host, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)pointer, size, flags);
}
template <class T> cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return cudaMallocAsync((void**)pointer, size, stream);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch((void**)pointer, pitch, width, height);
}
template <class T> cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return cudaGetSymbolAddress(pointer, (const void*)&symbol);
}
template <class T> cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return cudaGetSymbolSize(size, (const void*)&symbol);
}

inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, size, kind, 0);
}
inline cudaError_t cudaMemsetAsync(void* pointer, int value, size_t size) {
  return cudaMemsetAsync(pointer, value, size, 0);
}
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t size, int device) {
  return cudaMemPrefetchAsync(pointer, size, device, 0);
}
// Places as CUDA 13 names them; 12 has these functions with _v2.
inline int __heddle_device_of(cudaMemLocation place) {
  if (place.type == cudaMemLocationTypeDevice)
    return place.id;
  return place.type == cudaMemLocationTypeInvalid ? cudaInvalidDeviceId : cudaCpuDeviceId;
}
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t size, cudaMemLocation place,
                                        unsigned int, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(pointer, size, __heddle_device_of(place), stream);
}
inline cudaError_t cudaMemAdvise(const void* pointer, size_t size, cudaMemoryAdvise advice,
                                 cudaMemLocation place) {
  return cudaMemAdvise(pointer, size, advice, __heddle_device_of(place));
}
inline cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t size, cudaMemLocation place,
                                           unsigned int flags, cudaStream_t stream) {
  return cudaMemPrefetchAsync(pointer, size, place, flags, stream);
}
inline cudaError_t cudaMemAdvise_v2(const void* pointer, size_t size, cudaMemoryAdvise advice,
                                    cudaMemLocation place) {
  return cudaMemAdvise(pointer, size, advice, place);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event) {
  return cudaEventRecord(event, 0);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event) {
  return cudaStreamWaitEvent(stream, event, 0);
}

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t size, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void*)&symbol, from, size, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t size, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void*)&symbol, size, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t size,
                                    size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void*)&symbol, from, size, offset, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t size, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, size, offset, kind, stream);
}

template <class T>
cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                             cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void*)kernel, grid, block, arguments, shared, stream);
}
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void*)kernel, grid, block, arguments, shared, stream);
}
#if __cplusplus >= 201103L
// The arguments become what the kernel takes before their addresses do.
template <class... Taken, class... Given>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Taken...),
                               Given&&... given) {
  return [&](Taken... taken) {
    void* arguments[] = {(void*)&taken..., nullptr};
    return cudaLaunchKernelExC(config, (const void*)kernel, arguments);
  }(static_cast<Given&&>(given)...);
}
#endif
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return cudaFuncGetAttributes(attributes, (const void*)kernel);
}
template <class T>
cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void*)kernel, attribute, value);
}
template <class T> cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void*)kernel, config);
}
template <class T> cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void*)kernel, config);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* kernel, int threads,
                                                          size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)kernel, threads,
                                                       shared);
}

template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T* kernel,
                                                                   int threads, size_t shared,
                                                                   unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel,
                                                                threads, shared, flags);
}
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T* kernel, int blocks,
                                                      int threads) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void*)kernel, blocks, threads);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* kernel,
                                           const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxActiveClusters(clusters, (const void*)kernel, config);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, T* kernel,
                                                 const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxPotentialClusterSize(blocks, (const void*)kernel, config);
}

// The block size with the most threads on a multiprocessor, the largest of several: tried from the
// largest down, a warp less each time. `sharedOf` gives the dynamic shared memory of a block size.
template <class SharedOf, class T>
cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* minGridSize, int* blockSize, T kernel,
                                                        SharedOf sharedOf, int blockSizeLimit,
                                                        unsigned int flags) {
  cudaFuncAttributes attributes = {};
  int device = 0, multiprocessors = 0, most = 0;
  cudaError_t status = cudaFuncGetAttributes(&attributes, (const void*)kernel);
  if (status == cudaSuccess)
    status = cudaGetDevice(&device);
  if (status == cudaSuccess)
    status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  int limit = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limit)
    limit = blockSizeLimit;
  for (int rounded = (limit + 31) / 32 * 32; status == cudaSuccess && rounded > 0; rounded -= 32) {
    int blocks = 0, threads = rounded < limit ? rounded : limit;
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, (const void*)kernel, threads, sharedOf(threads), flags);
    if (status == cudaSuccess && blocks * threads > most) {
      most = blocks * threads;
      *blockSize = threads;
      *minGridSize = blocks * multiprocessors;
    }
  }
  return status;
}
template <class SharedOf, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize,
                                                           T kernel, SharedOf sharedOf,
                                                           int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, kernel, sharedOf, blockSizeLimit, cudaOccupancyDefault);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, T kernel,
                                                        size_t shared = 0, int blockSizeLimit = 0,
                                                        unsigned int flags = 0) {
  struct Always {
    size_t shared;
    size_t operator()(int) const { return shared; }
  };
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, kernel, Always{shared}, blockSizeLimit, flags);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T kernel,
                                               size_t shared = 0, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, kernel, shared,
                                                     blockSizeLimit, cudaOccupancyDefault);
}

inline cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                                   size_t width, size_t height = 0) {
  return cudaMallocArray(array, format, width, height, 0);
}
inline cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                                     cudaExtent extent) {
  return cudaMalloc3DArray(array, format, extent, 0);
}
inline cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                            const cudaChannelFormatDesc* format, cudaExtent extent,
                                            unsigned int levels) {
  return cudaMallocMipmappedArray(array, format, extent, levels, 0);
}
inline cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY,
                                            cudaArray_const_t from, size_t fromX, size_t fromY,
                                            size_t width, size_t height) {
  return cudaMemcpy2DArrayToArray(to, toX, toY, from, fromX, fromY, width, height,
                                  cudaMemcpyDeviceToDevice);
}
#include "heddle_channels.h"

inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t xsize, size_t ysize) {
  return cudaPitchedPtr{pointer, pitch, xsize, ysize};
}
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return cudaExtent{width, height, depth};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return cudaPos{x, y, z};
}

#endif

#endif
