// SPDX-License-Identifier: Apache-2.0
//
// Hints about managed memory, which lies where both sides see it: they are kept to be told again.
#include "cudart/FirstTouches.h"

#include <algorithm>

namespace heddle::cudart {
namespace {

/// Whether a hint about managed memory names managed memory and a device that there is.
cudaError_t checkManaged(Runtime& runtime, const void* pointer, size_t size, int device) {
  if (device != 0 && device != cudaCpuDeviceId)
    return cudaErrorInvalidDevice;
  const Region* region = runtime.memory.find(pointer);
  const bool managed = region != nullptr && region->kind == MemoryKind::Managed &&
                       runtime.memory.classify(pointer, size) == RangeKind::Known;
  return managed ? cudaSuccess : cudaErrorInvalidValue;
}

bool usesDevice(cudaMemoryAdvise advice) {
  return advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseSetAccessedBy ||
         advice == cudaMemAdviseUnsetAccessedBy;
}

void follow(Advice& kept, cudaMemoryAdvise advice, int device) {
  const bool set = advice == cudaMemAdviseSetReadMostly || advice == cudaMemAdviseSetAccessedBy;
  switch (advice) {
  case cudaMemAdviseSetReadMostly:
  case cudaMemAdviseUnsetReadMostly:
    kept.readMostly = set;
    break;
  case cudaMemAdviseSetPreferredLocation:
    kept.preferred = device;
    break;
  case cudaMemAdviseUnsetPreferredLocation:
    kept.preferred = cudaInvalidDeviceId;
    break;
  case cudaMemAdviseSetAccessedBy:
  case cudaMemAdviseUnsetAccessedBy:
    (device == cudaCpuDeviceId ? kept.fromHost : kept.fromDevice) = set;
    break;
  }
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t size, int device,
                                            cudaStream_t stream) {
  return call([&](Runtime& runtime) {
    if (!runtime.isStream(stream))
      return cudaErrorInvalidResourceHandle;
    const cudaError_t status = checkManaged(runtime, pointer, size, device);
    if (status != cudaSuccess)
      return status;
    runtime.advice.apply(pointer, size, [&](Advice& kept) { kept.prefetched = device; });
    prefetchManaged(runtime, pointer, size, device);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaMemAdvise(const void* pointer, size_t size, cudaMemoryAdvise advice,
                                     int device) {
  return call([&](Runtime& runtime) {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
      return cudaErrorInvalidValue;
    const cudaError_t status =
        checkManaged(runtime, pointer, size, usesDevice(advice) ? device : 0);
    if (status == cudaSuccess)
      runtime.advice.apply(pointer, size, [&](Advice& kept) { follow(kept, advice, device); });
    return status;
  });
}

HEDDLE_API cudaError_t cudaMemRangeGetAttributes(void** data, size_t* sizes,
                                                 cudaMemRangeAttribute* attributes, size_t number,
                                                 const void* pointer, size_t size) {
  return call([&](Runtime& runtime) {
    if (data == nullptr || sizes == nullptr || attributes == nullptr || number == 0 || size == 0)
      return cudaErrorInvalidValue;
    const cudaError_t status = checkManaged(runtime, pointer, size, 0);
    if (status != cudaSuccess)
      return status;
    const Advice advice = runtime.advice.ask(pointer, size);
    for (size_t i = 0; i < number; ++i)
      if (data[i] == nullptr || !writeAdvice(advice, attributes[i], data[i], sizes[i]))
        return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaMemRangeGetAttribute(void* data, size_t dataSize,
                                                cudaMemRangeAttribute attribute,
                                                const void* pointer, size_t size) {
  return cudaMemRangeGetAttributes(&data, &dataSize, &attribute, 1, pointer, size);
}

HEDDLE_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t,
                                                unsigned int) {
  return call([&](Runtime& runtime) {
    return runtime.isStream(stream) ? checkManaged(runtime, pointer, 1, 0)
                                    : cudaErrorInvalidResourceHandle;
  });
}
