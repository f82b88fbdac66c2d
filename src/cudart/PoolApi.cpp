// SPDX-License-Identifier: Apache-2.0
//
// Memory pools: which allocations share memory changes no result, so a pool is a handle with
// attributes.
#include "cudart/Runtime.h"

namespace heddle::cudart {
namespace {

/// The first three attributes are of 32 bits.
bool isWord(cudaMemPoolAttr attribute) {
  return attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

bool isKnown(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolAttrUsedMemHigh;
}

cudaMemPool_t defaultPool(Runtime& runtime) {
  if (runtime.currentPool == nullptr)
    runtime.currentPool = runtime.pools.create({});
  return runtime.currentPool;
}

template <class Body>
cudaError_t callWithPool(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void* value,
                         Body body) {
  return call([&](Runtime& runtime) {
    Pool* const known = runtime.pools.find(pool);
    if (known == nullptr || !isKnown(attribute) || value == nullptr)
      return cudaErrorInvalidValue;
    body(known->attributes[attribute]);
    return cudaSuccess;
  });
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                               cudaStream_t stream) {
  const cudaError_t status = call([&](Runtime& runtime) {
    return runtime.pools.find(pool) != nullptr ? cudaSuccess : cudaErrorInvalidValue;
  });
  return status != cudaSuccess ? status : cudaMallocAsync(pointer, size, stream);
}

HEDDLE_API cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call([&](Runtime& runtime) {
    if (pool == nullptr || properties == nullptr)
      return cudaErrorInvalidValue;
    *pool = runtime.pools.create({});
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call([&](Runtime& runtime) {
    return runtime.pools.destroy(pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

HEDDLE_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                               void* value) {
  return callWithPool(pool, attribute, value, [&](std::uint64_t& kept) {
    kept = isWord(attribute) ? std::uint64_t(*static_cast<const int*>(value))
                             : *static_cast<const std::uint64_t*>(value);
  });
}

HEDDLE_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                               void* value) {
  return callWithPool(pool, attribute, value, [&](const std::uint64_t& kept) {
    if (isWord(attribute))
      *static_cast<int*>(value) = int(kept);
    else
      *static_cast<std::uint64_t*>(value) = kept;
  });
}

HEDDLE_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return call([&](Runtime& runtime) {
    return runtime.pools.find(pool) != nullptr ? cudaSuccess : cudaErrorInvalidValue;
  });
}

HEDDLE_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call([&](Runtime& runtime) {
    if (pool == nullptr || device != 0)
      return device != 0 ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    *pool = defaultPool(runtime);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetMemPool(pool, device);
}

HEDDLE_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call([&](Runtime& runtime) {
    if (device != 0)
      return cudaErrorInvalidDevice;
    if (runtime.pools.find(pool) == nullptr)
      return cudaErrorInvalidValue;
    runtime.currentPool = pool;
    return cudaSuccess;
  });
}
