// SPDX-License-Identifier: Apache-2.0
//
// Streams. Everything is done when the call that asked for it returns, so a stream is always idle
// and its callbacks run at once, in order.
#include "cudart/Runtime.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace heddle::cudart {
namespace {

cudaError_t createStream(Runtime& runtime, cudaStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0)
    return cudaErrorInvalidValue;
  *stream = runtime.streams.create(
      {.flags = flags,
       .priority = std::clamp(priority, Stream::greatestPriority, Stream::leastPriority)});
  return cudaSuccess;
}

cudaError_t checkStream(cudaStream_t stream) {
  return call([&](Runtime& runtime) {
    return runtime.isStream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

/// What somebody wants to know of a stream that is there.
template <class T, class Find> cudaError_t tell(cudaStream_t stream, T* answer, Find find) {
  return call([&](Runtime& runtime) {
    const Stream* const known = runtime.findStream(stream);
    if (known == nullptr)
      return cudaErrorInvalidResourceHandle;
    if (answer == nullptr)
      return cudaErrorInvalidValue;
    *answer = find(*known);
    return cudaSuccess;
  });
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags,
                                                    int priority) {
  return call([&](Runtime& runtime) { return createStream(runtime, stream, flags, priority); });
}

HEDDLE_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, Stream::leastPriority);
}

HEDDLE_API cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

HEDDLE_API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&](Runtime& runtime) {
    return runtime.streams.destroy(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

HEDDLE_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return checkStream(stream);
}

HEDDLE_API cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return checkStream(stream);
}

HEDDLE_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  if (noteWait(stream, event))
    return cudaSuccess;
  return call([&](Runtime& runtime) {
    return runtime.isStream(stream) && runtime.events.find(event) != nullptr
               ? cudaSuccess
               : cudaErrorInvalidResourceHandle;
  });
}

HEDDLE_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                             void* userData, unsigned int flags) {
  if (callback == nullptr || flags != 0)
    return record(cudaErrorInvalidValue);
  const cudaError_t status = checkStream(stream);
  if (status == cudaSuccess)
    callback(stream, cudaSuccess, userData);
  return status;
}

HEDDLE_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function,
                                          void* userData) {
  if (function == nullptr)
    return record(cudaErrorInvalidValue);
  if (noteWork(stream, cudaGraphNodeTypeHost,
               [=](cudaStream_t later) { return cudaLaunchHostFunc(later, function, userData); }))
    return cudaSuccess;
  const cudaError_t status = checkStream(stream);
  if (status == cudaSuccess)
    function(userData);
  return status;
}

HEDDLE_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return tell(stream, flags, [](const Stream& known) { return known.flags; });
}

HEDDLE_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return tell(stream, priority, [](const Stream& known) { return known.priority; });
}

/// A handle is an address, and so differs from every other one's.
HEDDLE_API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return tell(stream, id, [&](const Stream&) { return reinterpret_cast<std::uintptr_t>(stream); });
}

HEDDLE_API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return tell(stream, device, [](const Stream&) { return 0; }); // there is one
}

HEDDLE_API cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  static thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  return call([&](Runtime&) {
    if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal ||
        *mode > cudaStreamCaptureModeRelaxed)
      return cudaErrorInvalidValue;
    std::swap(current, *mode);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&](Runtime&) {
    if (least != nullptr)
      *least = Stream::leastPriority;
    if (greatest != nullptr)
      *greatest = Stream::greatestPriority;
    return cudaSuccess;
  });
}
