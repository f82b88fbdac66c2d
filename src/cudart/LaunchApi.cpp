// SPDX-License-Identifier: Apache-2.0
//
// Kernels: launches, attributes, occupancy.
#include "cudart/LaunchLimits.h"
#include "cudart/Launches.h"

#include <algorithm>
#include <span>

namespace heddle::cudart {
namespace {

constexpr machine::ComputeCapability firstCooperative = {6, 0};

/// A kernel as the API names it; an entry of nullptr is cudaErrorInvalidDeviceFunction.
template <class Body> cudaError_t callWithKernel(const void* function, Body body) {
  return call([&](Runtime& runtime) {
    const ReadyKernel kernel = prepareKernel(runtime, function);
    return kernel.entry == nullptr ? cudaErrorInvalidDeviceFunction : body(runtime, kernel);
  });
}

cudaError_t setMostDynamicShared(const Runtime& runtime, const ReadyKernel& kernel, int bytes) {
  const int most = runtime.settings.device.limits.sharedPerBlockOptIn -
                   static_cast<int>(kernel.code->sharedSize());
  if (bytes < 0 || bytes > most)
    return cudaErrorInvalidValue;
  kernel.entry->mostDynamicShared = bytes;
  return cudaSuccess;
}

cudaError_t setCarveout(const ReadyKernel& kernel, int percent) {
  if (percent < -1 || percent > 100)
    return cudaErrorInvalidValue;
  kernel.entry->carveout = percent;
  return cudaSuccess;
}

cudaFuncAttributes attributesOf(const Runtime& runtime, const ReadyKernel& kernel) {
  const machine::SmLimits& limits = runtime.settings.device.limits;
  const int version = limits.computeCapability.number();
  const int shared = static_cast<int>(kernel.code->sharedSize());
  cudaFuncAttributes attributes = {};
  attributes.sharedSizeBytes = kernel.code->sharedSize();
  attributes.localSizeBytes =
      kernel.code->localSize() + std::size_t(kernel.entry->limits->registers.spillBytes);
  attributes.maxThreadsPerBlock = limits.threadsPerBlock;
  if (const int bound = kernel.entry->limits->threads; bound > 0)
    attributes.maxThreadsPerBlock = std::min(limits.threadsPerBlock, bound);
  attributes.numRegs = kernel.entry->limits->registers.registers;
  attributes.ptxVersion = version;
  attributes.binaryVersion = version;
  attributes.maxDynamicSharedSizeBytes =
      static_cast<int>(sharedAllowed(limits, shared, kernel.entry->mostDynamicShared)) - shared;
  attributes.preferredShmemCarveout = kernel.entry->carveout;
  return attributes;
}

bool hasCluster(const cudaLaunchAttribute& attribute) {
  const auto& size = attribute.val.clusterDim;
  return attribute.id == cudaLaunchAttributeClusterDimension && size.x * size.y * size.z > 1;
}

bool isCooperative(const cudaLaunchAttribute& attribute) {
  return attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative != 0;
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
  if (const auto noted = noteLaunch(kernel, grid, block, arguments, shared, stream, false))
    return *noted;
  return call([&](Runtime& runtime) {
    return launchKernel(runtime, {.function = kernel,
                                  .grid = grid,
                                  .block = block,
                                  .arguments = arguments,
                                  .shared = shared,
                                  .stream = stream});
  });
}

HEDDLE_API cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block,
                                                   void** arguments, size_t shared,
                                                   cudaStream_t stream) {
  if (const auto noted = noteLaunch(kernel, grid, block, arguments, shared, stream, true))
    return *noted;
  return call([&](Runtime& runtime) {
    if (runtime.settings.device.limits.computeCapability < firstCooperative)
      return cudaErrorNotSupported;
    return launchKernel(runtime, {.function = kernel,
                                  .grid = grid,
                                  .block = block,
                                  .arguments = arguments,
                                  .shared = shared,
                                  .stream = stream,
                                  .cooperative = true});
  });
}

/// The other attributes say how launches may overlap and what caches keep: hints here.
HEDDLE_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                           void** arguments) {
  if (config == nullptr || (config->numAttrs > 0 && config->attrs == nullptr))
    return record(cudaErrorInvalidValue);
  const std::span attributes(config->attrs, config->numAttrs);
  if (std::ranges::any_of(attributes, hasCluster))
    return notSupported("cudaLaunchKernelEx with clusters of blocks");
  const auto launch = std::ranges::any_of(attributes, isCooperative) ? cudaLaunchCooperativeKernel
                                                                     : cudaLaunchKernel;
  return launch(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                config->stream);
}

HEDDLE_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  return callWithKernel(kernel, [&](Runtime& runtime, const ReadyKernel& ready) {
    if (attributes == nullptr)
      return cudaErrorInvalidValue;
    *attributes = attributesOf(runtime, ready);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute,
                                            int value) {
  return callWithKernel(kernel, [&](Runtime& runtime, const ReadyKernel& ready) {
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
      return setMostDynamicShared(runtime, ready, value);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
      return setCarveout(ready, value);
    return cudaErrorInvalidValue;
  });
}

/// Hints about caches that no result depends on.
HEDDLE_API cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) {
  return callWithKernel(kernel, [](Runtime&, const ReadyKernel&) { return cudaSuccess; });
}

HEDDLE_API cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig) {
  return callWithKernel(kernel, [](Runtime&, const ReadyKernel&) { return cudaSuccess; });
}

HEDDLE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                     const void* kernel,
                                                                     int threads, size_t shared) {
  return callWithKernel(kernel, [&](Runtime& runtime, const ReadyKernel& ready) {
    if (blocks == nullptr || threads < 1)
      return cudaErrorInvalidValue;
    *blocks = activeBlocksOf(runtime, ready, threads, shared);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* kernel, int threads, size_t shared, unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared);
}

HEDDLE_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel,
                                                                 int blocks, int threads) {
  return callWithKernel(kernel, [&](Runtime& runtime, const ReadyKernel& ready) {
    if (bytes == nullptr || blocks < 1 || threads < 1)
      return cudaErrorInvalidValue;
    size_t least = 0, most = size_t(runtime.settings.device.limits.sharedPerBlockOptIn) + 1;
    if (activeBlocksOf(runtime, ready, threads, 0) < blocks)
      return cudaErrorInvalidValue;
    while (most - least > 1) { // `least` fits, `most` does not
      const size_t middle = (least + most) / 2;
      (activeBlocksOf(runtime, ready, threads, middle) >= blocks ? least : most) = middle;
    }
    *bytes = least;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaProfilerStart(void) {
  return cudaSuccess;
}

HEDDLE_API cudaError_t cudaProfilerStop(void) {
  return cudaSuccess;
}
