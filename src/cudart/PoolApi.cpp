// SPDX-License-Identifier: Apache-2.0
//
// Memory pools and their attributes.
#include "cudart/Runtime.h"

namespace heddle::cudart {
namespace {

template <class Body> cudaError_t callWithPool(cudaMemPool_t pool, const void* value, Body body) {
  return call([&](Runtime& runtime) {
    Pool* const known = runtime.pools.find(pool);
    return known == nullptr || value == nullptr ? cudaErrorInvalidValue : body(*known);
  });
}

int* findWord(Pool& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
    return &pool.followEvents;
  case cudaMemPoolReuseAllowOpportunistic:
    return &pool.opportunistic;
  case cudaMemPoolReuseAllowInternalDependencies:
    return &pool.internalDependencies;
  default:
    return nullptr;
  }
}

std::uint64_t* findCount(Pool& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
  case cudaMemPoolAttrReleaseThreshold:
    return &pool.releaseThreshold;
  case cudaMemPoolAttrReservedMemCurrent:
    return &pool.reserved;
  case cudaMemPoolAttrReservedMemHigh:
    return &pool.reservedHigh;
  case cudaMemPoolAttrUsedMemCurrent:
    return &pool.used;
  case cudaMemPoolAttrUsedMemHigh:
    return &pool.usedHigh;
  default:
    return nullptr;
  }
}

/// One of the pools that a device has without being asked.
template <class Find> cudaError_t tellPool(cudaMemPool_t* pool, int device, Find find) {
  return call([&](Runtime& runtime) {
    if (pool == nullptr || device != 0)
      return device != 0 ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    *pool = find(runtime.pools);
    return cudaSuccess;
  });
}

/// What is counted cannot be set, but high-water marks start anew at 0.
cudaError_t setCount(Pool& pool, cudaMemPoolAttr attribute, std::uint64_t value) {
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    pool.releaseThreshold = value;
    return cudaSuccess;
  }
  if (attribute == cudaMemPoolAttrReservedMemHigh && value == 0) {
    pool.reservedHigh = pool.reserved;
    return cudaSuccess;
  }
  if (attribute == cudaMemPoolAttrUsedMemHigh && value == 0) {
    pool.usedHigh = pool.used;
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call([&](Runtime& runtime) {
    if (pool == nullptr || properties == nullptr)
      return cudaErrorInvalidValue;
    *pool = runtime.pools.create();
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
  return callWithPool(pool, value, [&](Pool& known) {
    if (int* const word = findWord(known, attribute)) {
      *word = *static_cast<const int*>(value);
      return cudaSuccess;
    }
    return findCount(known, attribute) == nullptr
               ? cudaErrorInvalidValue
               : setCount(known, attribute, *static_cast<const std::uint64_t*>(value));
  });
}

HEDDLE_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                               void* value) {
  return callWithPool(pool, value, [&](Pool& known) {
    if (const int* const word = findWord(known, attribute))
      *static_cast<int*>(value) = *word;
    else if (const std::uint64_t* const count = findCount(known, attribute))
      *static_cast<std::uint64_t*>(value) = *count;
    else
      return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t least) {
  return call([&](Runtime& runtime) {
    Pool* const known = runtime.pools.find(pool);
    if (known == nullptr)
      return cudaErrorInvalidValue;
    Pools::trim(*known, least);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return tellPool(pool, device, [](Pools& pools) { return pools.current(); });
}

HEDDLE_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return tellPool(pool, device, [](Pools& pools) { return pools.preset(); });
}

HEDDLE_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call([&](Runtime& runtime) {
    if (device != 0)
      return cudaErrorInvalidDevice;
    if (runtime.pools.find(pool) == nullptr)
      return cudaErrorInvalidValue;
    runtime.pools.setCurrent(pool);
    return cudaSuccess;
  });
}
