// SPDX-License-Identifier: Apache-2.0
//
// Texture references of CUDA 11 and older, over texture objects: binding makes an object and puts
// its handle into the device's part of the variable (heddle_texture_references.h).
#include "cudart/Memory.h"
#include "cudart/Runtime.h"

#include <climits>

namespace heddle::cudart {
namespace {

/// cudaBindTexture without a size means all that is there from the pointer on.
cudaError_t fillSize(cudaResourceDesc& resource) {
  auto& linear = resource.res.linear;
  if (resource.resType != cudaResourceTypeLinear || linear.sizeInBytes != UINT_MAX)
    return cudaSuccess;
  return call([&](Runtime& runtime) {
    const Region* region = runtime.memory.find(linear.devPtr);
    if (region == nullptr)
      return cudaErrorInvalidValue;
    linear.sizeInBytes = std::size_t(static_cast<const std::byte*>(region->begin) + region->size -
                                     static_cast<const std::byte*>(linear.devPtr));
    return cudaSuccess;
  });
}

cudaError_t makeObject(const cudaResourceDesc* resource, const cudaTextureDesc* how,
                       cudaTextureObject_t& object) {
  if (resource == nullptr)
    return cudaSuccess;
  cudaResourceDesc whole = *resource;
  const cudaError_t status = fillSize(whole);
  return status != cudaSuccess ? status : cudaCreateTextureObject(&object, &whole, how, nullptr);
}

} // namespace
} // namespace heddle::cudart

// NOLINTNEXTLINE(readability-identifier-naming): no name of a program's
HEDDLE_API cudaError_t __cudaHeddleBindTexture(const void* variable,
                                               const cudaResourceDesc* resource,
                                               const cudaTextureDesc* how) {
  cudaTextureObject_t object = 0, before = 0;
  if (const cudaError_t status = heddle::cudart::makeObject(resource, how, object);
      status != cudaSuccess)
    return status;
  if (cudaMemcpyFromSymbol(&before, variable, sizeof before, 0, cudaMemcpyDeviceToHost) ==
      cudaSuccess)
    cudaDestroyTextureObject(before);
  return cudaMemcpyToSymbol(variable, &object, sizeof object, 0, cudaMemcpyHostToDevice);
}
