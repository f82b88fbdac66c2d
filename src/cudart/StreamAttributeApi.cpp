// SPDX-License-Identifier: Apache-2.0
//
// Attributes of streams: none changes a result or is modelled, so they are kept and told again.
#include "cudart/Runtime.h"

#include <algorithm>

namespace heddle::cudart {
namespace {

bool isLegal(const cudaAccessPolicyWindow& window) {
  return window.hitRatio >= 0.0F && window.hitRatio <= 1.0F &&
         window.missProp != cudaAccessPropertyPersisting;
}

cudaError_t keep(Stream& stream, cudaLaunchAttributeID attribute,
                 const cudaLaunchAttributeValue& value) {
  switch (attribute) {
  case cudaLaunchAttributeAccessPolicyWindow:
    if (!isLegal(value.accessPolicyWindow))
      return cudaErrorInvalidValue;
    stream.window = value.accessPolicyWindow;
    return cudaSuccess;
  case cudaLaunchAttributeSynchronizationPolicy:
    if (value.syncPolicy < cudaSyncPolicyAuto || value.syncPolicy > cudaSyncPolicyBlockingSync)
      return cudaErrorInvalidValue;
    stream.waiting = value.syncPolicy;
    return cudaSuccess;
  case cudaLaunchAttributePriority:
    stream.priority = std::clamp(value.priority, Stream::greatestPriority, Stream::leastPriority);
    return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomainMap:
    stream.domains = value.memSyncDomainMap;
    return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomain:
    stream.domain = value.memSyncDomain;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue; // an attribute of launches or of graph nodes
  }
}

cudaError_t tell(const Stream& stream, cudaLaunchAttributeID attribute,
                 cudaLaunchAttributeValue& value) {
  switch (attribute) {
  case cudaLaunchAttributeAccessPolicyWindow:
    value.accessPolicyWindow = stream.window;
    return cudaSuccess;
  case cudaLaunchAttributeSynchronizationPolicy:
    value.syncPolicy = stream.waiting;
    return cudaSuccess;
  case cudaLaunchAttributePriority:
    value.priority = stream.priority;
    return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomainMap:
    value.memSyncDomainMap = stream.domains;
    return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomain:
    value.memSyncDomain = stream.domain;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

/// Runs `body` for a stream that is there.
template <class Body> cudaError_t callForStream(cudaStream_t stream, Body body) {
  return call([&](Runtime& runtime) {
    Stream* const known = runtime.findStream(stream);
    return known == nullptr ? cudaErrorInvalidResourceHandle : body(runtime, *known);
  });
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                              const cudaLaunchAttributeValue* value) {
  return callForStream(stream, [&](Runtime&, Stream& known) {
    return value == nullptr ? cudaErrorInvalidValue : keep(known, attribute, *value);
  });
}

HEDDLE_API cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                              cudaLaunchAttributeValue* value) {
  return callForStream(stream, [&](Runtime&, const Stream& known) {
    return value == nullptr ? cudaErrorInvalidValue : tell(known, attribute, *value);
  });
}

HEDDLE_API cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return callForStream(to, [&](Runtime& runtime, Stream& known) {
    const Stream* const source = runtime.findStream(from);
    if (source == nullptr)
      return cudaErrorInvalidResourceHandle;
    const unsigned flags = known.flags; // no attribute
    known = *source;
    known.flags = flags;
    return cudaSuccess;
  });
}

/// No line of the second-level cache is kept for good.
HEDDLE_API cudaError_t cudaCtxResetPersistingL2Cache() {
  return call([](Runtime&) { return cudaSuccess; });
}
