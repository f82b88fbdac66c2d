// SPDX-License-Identifier: Apache-2.0
#include "cudart/Properties.h"

#include "cudart/LaunchLimits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace heddle::cudart {
namespace {

/// Device files know the bandwidth: two transfers a cycle, in whole chips (64 bits) or stacks
/// (1024).
int busWidth(const machine::Device& device) {
  if (device.memoryMHz <= 0)
    return 0;
  const double bits = device.bandwidthGBps * 1e3 * 8 / (device.memoryMHz * 2);
  const double unit = bits > 1024 ? 1024 : 64;
  return static_cast<int>(std::lround(bits / unit) * std::lround(unit));
}

void describeLimits(const machine::SmLimits& limits, cudaDeviceProp& properties) {
  const auto block = largestBlock(limits), grid = largestGrid(limits);
  for (std::size_t i = 0; i < block.size(); ++i) {
    properties.maxThreadsDim[i] = static_cast<int>(block[i]);
    properties.maxGridSize[i] = static_cast<int>(grid[i]);
  }
  properties.major = limits.computeCapability.major;
  properties.minor = limits.computeCapability.minor;
  properties.warpSize = 32;
  properties.maxThreadsPerBlock = limits.threadsPerBlock;
  properties.maxThreadsPerMultiProcessor = limits.warps * 32;
  properties.maxBlocksPerMultiProcessor = limits.blocks;
  properties.regsPerBlock = limits.registersPerBlock;
  properties.regsPerMultiprocessor = limits.registers;
  properties.sharedMemPerBlock = static_cast<size_t>(limits.sharedPerBlock);
  properties.sharedMemPerBlockOptin = static_cast<size_t>(limits.sharedPerBlockOptIn);
  properties.sharedMemPerMultiprocessor = static_cast<size_t>(limits.sharedPerSm());
  properties.reservedSharedMemPerBlock = static_cast<size_t>(limits.sharedReserved);
}

/// What programs branch on. `concurrentManagedAccess` holds, as both sides use the same memory;
/// kernels may not touch memory that the program never showed us, so `pageableMemoryAccess` does
/// not.
void describeFeatures(const machine::SmLimits& limits, cudaDeviceProp& properties) {
  const machine::ComputeCapability version = limits.computeCapability;
  const int fromPascal = version.major >= 6 ? 1 : 0;
  properties.deviceOverlap = 1;
  properties.asyncEngineCount = version.major >= 2 ? 2 : 1;
  properties.canMapHostMemory = 1;
  properties.concurrentKernels = 1;
  properties.unifiedAddressing = 1;
  properties.managedMemory = 1;
  properties.concurrentManagedAccess = 1;
  properties.directManagedMemAccessFromHost = 1;
  properties.canUseHostPointerForRegisteredMem = 1;
  properties.hostRegisterSupported = 1;
  properties.memoryPoolsSupported = 1; // cudaMallocAsync
  properties.streamPrioritiesSupported = 1;
  properties.globalL1CacheSupported = version.major >= 2 ? 1 : 0;
  properties.localL1CacheSupported = properties.globalL1CacheSupported;
  properties.computePreemptionSupported = fromPascal;
  properties.cooperativeLaunch = fromPascal;
  properties.clusterLaunch = version.major >= 9 ? 1 : 0;
  properties.hostNativeAtomicSupported = 1;
}

} // namespace

cudaDeviceProp describeDevice(const machine::Device& device) {
  cudaDeviceProp properties = {};
  device.name.copy(properties.name, sizeof properties.name - 1);
  describeLimits(device.limits, properties);
  describeFeatures(device.limits, properties);
  properties.totalGlobalMem = static_cast<size_t>(device.memoryMiB) << 20;
  properties.totalConstMem = size_t{64} << 10;
  properties.memPitch = std::numeric_limits<int>::max();
  properties.textureAlignment = 512;
  properties.texturePitchAlignment = 32;
  properties.surfaceAlignment = 512;
  properties.multiProcessorCount = device.multiprocessors;
  properties.clockRate = static_cast<int>(std::lround(device.multiprocessorMHz * 1000));
  properties.memoryClockRate = static_cast<int>(std::lround(device.memoryMHz * 1000));
  properties.memoryBusWidth = busWidth(device);
  properties.l2CacheSize = device.l2KiB * 1024;
  properties.pciBusID = 1;
  if (device.lanesPerCycle.fp64 > 0)
    properties.singleToDoublePrecisionPerfRatio =
        static_cast<int>(std::lround(device.lanesPerCycle.fp32 / device.lanesPerCycle.fp64));
  return properties;
}

std::optional<int> attributeOf(const cudaDeviceProp& properties, int attribute) {
  switch (attribute) {
#define HEDDLE_DEVICE_PROPERTY(name, property)                                                     \
  case cudaDevAttr##name:                                                                          \
    return static_cast<int>(properties.property);
#include "cudart/AttributeProperties.def"
#undef HEDDLE_DEVICE_PROPERTY
  default:
    return std::nullopt;
  }
}

} // namespace heddle::cudart
