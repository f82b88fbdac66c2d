// SPDX-License-Identifier: Apache-2.0
//
// Allocation: device, managed, pinned and registered memory. All of it lies in this process, so one
// pointer serves both sides.
#include "cudart/Remarks.h"
#include "cudart/Runtime.h"

#include <limits>

namespace heddle::cudart {
namespace {

constexpr size_t pitchAlignment = 512;

/// Stores the address and gives cudaMalloc's answer: nothing for no bytes, nullptr when full.
cudaError_t allocate(Runtime& runtime, MemoryKind kind, void** pointer, size_t size,
                     const char* function, unsigned flags = 0) {
  if (pointer == nullptr)
    return cudaErrorInvalidValue;
  *pointer = size == 0 ? nullptr : runtime.memory.allocate(kind, size, function, flags);
  if (*pointer != nullptr)
    Remarks::instance().allocated(*pointer);
  return *pointer == nullptr && size > 0 ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t freeDevice(Runtime& runtime, void* pointer) {
  Remarks::instance().freed(pointer);
  runtime.pools.gaveBack(pointer);
  if (const Region* const region = runtime.memory.find(pointer);
      region != nullptr && region->kind == MemoryKind::Managed)
    runtime.advice.forget(region->begin, region->size);
  if (pointer == nullptr || runtime.memory.release(pointer, MemoryKind::Device) ||
      runtime.memory.release(pointer, MemoryKind::Managed))
    return cudaSuccess;
  return cudaErrorInvalidValue;
}

/// From a pool, or from the current one; what a captured stream asks for is the graph's, is there
/// from now on, and counts in no pool.
cudaError_t allocateInOrder(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  const bool captured = noteWork(stream, cudaGraphNodeTypeMemAlloc, {});
  return call([&](Runtime& runtime) {
    if (!captured && !runtime.isStream(stream))
      return cudaErrorInvalidResourceHandle;
    const cudaMemPool_t from = pool == nullptr ? runtime.pools.current() : pool;
    if (runtime.pools.find(from) == nullptr)
      return cudaErrorInvalidValue;
    const cudaError_t status =
        allocate(runtime, MemoryKind::Device, pointer, size, "cudaMallocAsync");
    if (status == cudaSuccess && !captured)
      runtime.pools.took(from, *pointer, size);
    return status;
  });
}

cudaError_t allocatePitched(Runtime& runtime, void** pointer, size_t* pitch, cudaExtent extent,
                            const char* function) {
  if (pitch == nullptr || extent.width > std::numeric_limits<int>::max())
    return cudaErrorInvalidValue;
  const size_t rounded = (extent.width + pitchAlignment - 1) / pitchAlignment * pitchAlignment;
  const size_t rows = extent.height * extent.depth;
  if (rounded > 0 && rows > runtime.memory.capacity() / rounded)
    return cudaErrorMemoryAllocation;
  *pitch = rounded;
  return allocate(runtime, MemoryKind::Device, pointer, rounded * rows, function);
}

const Region* findHostRegion(Runtime& runtime, const void* pointer) {
  const Region* region = runtime.memory.find(pointer);
  const bool host = region != nullptr &&
                    (region->kind == MemoryKind::Pinned || region->kind == MemoryKind::Registered);
  return host ? region : nullptr;
}

cudaPointerAttributes describePointer(const Region* region, void* pointer) {
  if (region == nullptr)
    return {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, pointer};
  switch (region->kind) {
  case MemoryKind::Device:
  case MemoryKind::Variable:
    return {cudaMemoryTypeDevice, 0, pointer, nullptr};
  case MemoryKind::Managed:
    return {cudaMemoryTypeManaged, 0, pointer, pointer};
  case MemoryKind::Pinned:
  case MemoryKind::Registered:
    break;
  }
  return {cudaMemoryTypeHost, 0, pointer, pointer};
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaMalloc(void** pointer, size_t size) {
  return call([&](Runtime& runtime) {
    return allocate(runtime, MemoryKind::Device, pointer, size, "cudaMalloc");
  });
}

HEDDLE_API cudaError_t cudaFree(void* pointer) {
  return call([&](Runtime& runtime) { return freeDevice(runtime, pointer); });
}

HEDDLE_API cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return allocateInOrder(pointer, size, nullptr, stream);
}

HEDDLE_API cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                               cudaStream_t stream) {
  return pool == nullptr ? record(cudaErrorInvalidValue)
                         : allocateInOrder(pointer, size, pool, stream);
}

/// A captured stream frees nothing: the graph may run again.
HEDDLE_API cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (noteWork(stream, cudaGraphNodeTypeMemFree, {}))
    return cudaSuccess;
  return call([&](Runtime& runtime) {
    return runtime.isStream(stream) ? freeDevice(runtime, pointer) : cudaErrorInvalidResourceHandle;
  });
}

HEDDLE_API cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags) {
  return call([&](Runtime& runtime) {
    const bool known = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost;
    if (!known || size == 0) // unlike cudaMalloc, managed memory refuses no bytes
      return cudaErrorInvalidValue;
    return allocate(runtime, MemoryKind::Managed, pointer, size, "cudaMallocManaged", flags);
  });
}

HEDDLE_API cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags) {
  return call([&](Runtime& runtime) {
    if ((flags & ~7U) != 0)
      return cudaErrorInvalidValue;
    return allocate(runtime, MemoryKind::Pinned, pointer, size, "cudaHostAlloc", flags);
  });
}

HEDDLE_API cudaError_t cudaMallocHost(void** pointer, size_t size) {
  return call([&](Runtime& runtime) {
    return allocate(runtime, MemoryKind::Pinned, pointer, size, "cudaMallocHost");
  });
}

HEDDLE_API cudaError_t cudaFreeHost(void* pointer) {
  return call([&](Runtime& runtime) {
    Remarks::instance().freed(pointer);
    const bool freed = pointer == nullptr || runtime.memory.release(pointer, MemoryKind::Pinned);
    return freed ? cudaSuccess : cudaErrorInvalidValue;
  });
}

HEDDLE_API cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags) {
  return call([&](Runtime& runtime) {
    if (pointer == nullptr || size == 0)
      return cudaErrorInvalidValue;
    return runtime.memory.addRegistered(pointer, size, flags)
               ? cudaSuccess
               : cudaErrorHostMemoryAlreadyRegistered;
  });
}

HEDDLE_API cudaError_t cudaHostUnregister(void* pointer) {
  return call([&](Runtime& runtime) {
    if (pointer == nullptr)
      return cudaErrorInvalidValue;
    return runtime.memory.release(pointer, MemoryKind::Registered)
               ? cudaSuccess
               : cudaErrorHostMemoryNotRegistered;
  });
}

HEDDLE_API cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  return call([&](Runtime& runtime) {
    if (device == nullptr || flags != 0 || findHostRegion(runtime, host) == nullptr)
      return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  return call([&](Runtime& runtime) {
    const Region* region = findHostRegion(runtime, host);
    if (flags == nullptr || region == nullptr)
      return cudaErrorInvalidValue;
    *flags = region->flags | cudaHostAllocMapped; // as every allocation with one address space
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return call([&](Runtime& runtime) {
    return allocatePitched(runtime, pointer, pitch, {width, height, 1}, "cudaMallocPitch");
  });
}

HEDDLE_API cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return call([&](Runtime& runtime) {
    if (pitched == nullptr)
      return cudaErrorInvalidValue;
    cudaPitchedPtr result = {nullptr, 0, extent.width, extent.height};
    const cudaError_t status =
        allocatePitched(runtime, &result.ptr, &result.pitch, extent, "cudaMalloc3D");
    if (status == cudaSuccess)
      *pitched = result;
    return status;
  });
}

HEDDLE_API cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return call([&](Runtime& runtime) {
    if (free == nullptr || total == nullptr)
      return cudaErrorInvalidValue;
    *total = runtime.memory.capacity();
    *free = runtime.memory.capacity() - runtime.memory.used();
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                                const void* pointer) {
  return call([&](Runtime& runtime) {
    if (attributes == nullptr)
      return cudaErrorInvalidValue;
    *attributes = describePointer(runtime.memory.find(pointer), const_cast<void*>(pointer));
    return cudaSuccess;
  });
}
