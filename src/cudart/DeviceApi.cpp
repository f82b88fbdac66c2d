// SPDX-License-Identifier: Apache-2.0
//
// Devices: there is one, the modelled GPU, and it is always idle.
#include "cudart/Properties.h"
#include "cudart/Runtime.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace heddle::cudart {
namespace {

constexpr int apiVersion = CUDART_VERSION;
constexpr std::string_view busId = "0000:01:00.0"; ///< as the properties say

/// Like `call`, for what names a device and stores a result.
template <class Result, class Body>
cudaError_t callForDevice(int device, Result* result, Body body) {
  return call([&](Runtime& runtime) {
    if (result == nullptr)
      return cudaErrorInvalidValue;
    return device == 0 ? body(runtime) : cudaErrorInvalidDevice;
  });
}

cudaError_t store(int* result, int value) {
  return call([&](Runtime&) {
    if (result == nullptr)
      return cudaErrorInvalidValue;
    *result = value;
    return cudaSuccess;
  });
}

/// For a hint that no result depends on.
cudaError_t accept() {
  return call([](Runtime&) { return cudaSuccess; });
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaGetDeviceCount(int* count) {
  return store(count, 1);
}

HEDDLE_API cudaError_t cudaGetDevice(int* device) {
  return store(device, 0);
}

HEDDLE_API cudaError_t cudaSetDevice(int device) {
  return call([&](Runtime&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

HEDDLE_API cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  return store(device, 0);
}

HEDDLE_API cudaError_t cudaSetValidDevices(int*, int) {
  return accept();
}

HEDDLE_API cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return cudaSetDevice(device);
}

HEDDLE_API cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return call([&](Runtime& runtime) {
    runtime.deviceFlags = flags;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return callForDevice(0, flags, [&](Runtime& runtime) {
    *flags = runtime.deviceFlags;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return callForDevice(device, properties, [&](Runtime& runtime) {
    *properties = describeDevice(runtime.settings.device);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return callForDevice(device, value, [&](Runtime& runtime) {
    const auto known = attributeOf(describeDevice(runtime.settings.device), attribute);
    if (!known)
      return cudaErrorInvalidValue;
    *value = *known;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return callForDevice(device, text, [&](Runtime&) {
    if (length <= static_cast<int>(busId.size()))
      return cudaErrorInvalidValue;
    text[busId.copy(text, busId.size())] = '\0';
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return callForDevice(0, device, [&](Runtime&) {
    if (text == nullptr || text != busId)
      return text == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaDeviceSynchronize(void) {
  return accept();
}

HEDDLE_API cudaError_t cudaThreadSynchronize(void) {
  return accept();
}

HEDDLE_API cudaError_t cudaDeviceReset(void) {
  return call([](Runtime& runtime) {
    runtime.reset();
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
}

HEDDLE_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return accept();
}

HEDDLE_API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return callForDevice(0, config, [&](Runtime&) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return accept();
}

HEDDLE_API cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return callForDevice(0, config, [&](Runtime&) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call([&](Runtime& runtime) {
    const auto known = runtime.limits.find(limit);
    if (known == runtime.limits.end())
      return cudaErrorUnsupportedLimit;
    known->second = value;
    if (limit == cudaLimitMallocHeapSize)
      runtime.memory.live().heap().setLimit(value);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return callForDevice(0, value, [&](Runtime& runtime) {
    const auto known = runtime.limits.find(limit);
    if (known == runtime.limits.end())
      return cudaErrorUnsupportedLimit;
    *value = known->second;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaDeviceCanAccessPeer(int* canAccess, int device, int peer) {
  return callForDevice(device, canAccess, [&](Runtime&) {
    *canAccess = 0;
    return peer == 0 ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

/// Of two devices; there is one.
HEDDLE_API cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int,
                                                 int) {
  return call([&](Runtime&) {
    const bool known = attribute >= cudaDevP2PAttrPerformanceRank &&
                       attribute <= cudaDevP2PAttrCudaArrayAccessSupported;
    return value == nullptr || !known ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
  });
}

HEDDLE_API cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return call([](Runtime&) { return cudaErrorInvalidDevice; });
}

HEDDLE_API cudaError_t cudaDeviceDisablePeerAccess(int) {
  return call([](Runtime&) { return cudaErrorInvalidDevice; });
}

HEDDLE_API cudaError_t cudaDriverGetVersion(int* version) {
  return store(version, apiVersion);
}

HEDDLE_API cudaError_t cudaRuntimeGetVersion(int* version) {
  return store(version, apiVersion);
}
