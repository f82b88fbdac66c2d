// SPDX-License-Identifier: Apache-2.0
//
// Events: times of the modelled GPU.
#include "cudart/Runtime.h"

#include <algorithm>

namespace heddle::cudart {
namespace {

constexpr unsigned knownFlags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

cudaError_t checkEvent(cudaEvent_t event) {
  return call([&](Runtime& runtime) {
    return runtime.events.find(event) != nullptr ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

bool hasTime(const Event* event) {
  return event != nullptr && event->recorded && (event->flags & cudaEventDisableTiming) == 0;
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return call([&](Runtime& runtime) {
    const bool untimedSharing =
        (flags & cudaEventInterprocess) == 0 || (flags & cudaEventDisableTiming) != 0;
    if (event == nullptr || (flags & ~knownFlags) != 0 || !untimedSharing)
      return cudaErrorInvalidValue;
    *event = runtime.events.create({.flags = flags});
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

HEDDLE_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&](Runtime& runtime) {
    return runtime.events.destroy(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

HEDDLE_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                                unsigned int) {
  if (noteEvent(event, stream))
    return cudaSuccess;
  return call([&](Runtime& runtime) {
    Event* const known = runtime.events.find(event);
    if (known == nullptr || !runtime.isStream(stream))
      return cudaErrorInvalidResourceHandle;
    known->recorded = runtime.clock.read();
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

HEDDLE_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return checkEvent(event);
}

HEDDLE_API cudaError_t cudaEventQuery(cudaEvent_t event) {
  return checkEvent(event);
}

HEDDLE_API cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin,
                                            cudaEvent_t end) {
  return call([&](Runtime& runtime) {
    if (milliseconds == nullptr)
      return cudaErrorInvalidValue;
    const Event* const first = runtime.events.find(begin);
    const Event* const second = runtime.events.find(end);
    if (!hasTime(first) || !hasTime(second))
      return cudaErrorInvalidResourceHandle;
    *milliseconds = std::max(0.0F, float((*second->recorded - *first->recorded) * 1e3));
    return cudaSuccess;
  });
}
