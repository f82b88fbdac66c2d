// SPDX-License-Identifier: Apache-2.0
//
// Kernels: launches, attributes, occupancy.
#include "cudart/Clusters.h"
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
  attributes.requiredClusterWidth = kernel.entry->limits->cluster[0];
  attributes.requiredClusterHeight = kernel.entry->limits->cluster[1];
  attributes.requiredClusterDepth = kernel.entry->limits->cluster[2];
  attributes.nonPortableClusterSizeAllowed = kernel.entry->allowsLargeClusters ? 1 : 0;
  return attributes;
}

/// The cluster that a launch asks for; none where all its widths are 0.
std::optional<dim3> clusterOf(const cudaLaunchConfig_t& config) {
  for (const cudaLaunchAttribute& attribute : std::span(config.attrs, config.numAttrs))
    if (const auto& size = attribute.val.clusterDim;
        attribute.id == cudaLaunchAttributeClusterDimension && (size.x | size.y | size.z) != 0)
      return dim3(size.x, size.y, size.z);
  return {};
}

/// Whether the attribute is one that says how clusters of the kernel may be.
bool setClusterAttribute(const ReadyKernel& kernel, cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed)
    kernel.entry->allowsLargeClusters = value != 0;
  return attribute == cudaFuncAttributeNonPortableClusterSizeAllowed ||
         attribute == cudaFuncAttributeClusterSchedulingPolicyPreference;
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
  const bool cooperative = std::ranges::any_of(attributes, isCooperative);
  const std::optional<dim3> cluster = clusterOf(*config);
  if (!cluster) {
    const auto launch = cooperative ? cudaLaunchCooperativeKernel : cudaLaunchKernel;
    return launch(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                  config->stream);
  }
  if (const auto noted = noteLaunch(kernel, config->gridDim, config->blockDim, arguments,
                                    config->dynamicSmemBytes, config->stream, cooperative, cluster))
    return *noted;
  return call([&](Runtime& runtime) {
    return launchKernel(runtime, {.function = kernel,
                                  .grid = config->gridDim,
                                  .block = config->blockDim,
                                  .arguments = arguments,
                                  .shared = config->dynamicSmemBytes,
                                  .stream = config->stream,
                                  .cooperative = cooperative,
                                  .cluster = cluster});
  });
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
    if (attribute >= cudaFuncAttributeClusterDimMustBeSet &&
        attribute <= cudaFuncAttributeRequiredClusterDepth)
      return notSupported("cudaFuncSetAttribute for the cluster that a kernel requires");
    return setClusterAttribute(ready, attribute, value) ? cudaSuccess : cudaErrorInvalidValue;
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

/// As many as fit all multiprocessors together: how a GPU groups these is not known.
HEDDLE_API cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel,
                                                      const cudaLaunchConfig_t* config) {
  return callWithKernel(kernel, [&](Runtime& runtime, const ReadyKernel& ready) {
    if (clusters == nullptr || config == nullptr)
      return cudaErrorInvalidValue;
    const dim3 grid = config->gridDim, block = config->blockDim;
    GridLaunch launch{.kernel = ready,
                      .request = {.grid = {int(grid.x), int(grid.y), int(grid.z)},
                                  .block = {int(block.x), int(block.y), int(block.z)},
                                  .dynamicShared = config->dynamicSmemBytes,
                                  .arguments = {}},
                      .residency = {},
                      .cluster = clusterOf(*config)};
    if (const cudaError_t refused = checkLaunch(runtime, launch, false); refused != cudaSuccess)
      return refused;
    *clusters = int(launch.residency.blocks / launch.request.clusterBlocks());
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* kernel,
                                                            const cudaLaunchConfig_t* config) {
  return callWithKernel(kernel, [&](Runtime& runtime, const ReadyKernel& ready) {
    if (blocks == nullptr || config == nullptr)
      return cudaErrorInvalidValue;
    if (!hasClusters(runtime.settings.device.limits))
      return cudaErrorNotSupported;
    *blocks = ready.entry->allowsLargeClusters ? mostClusterBlocks : mostPortableBlocks;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaProfilerStart(void) {
  return cudaSuccess;
}

HEDDLE_API cudaError_t cudaProfilerStop(void) {
  return cudaSuccess;
}
