// SPDX-License-Identifier: Apache-2.0
//
// Occupancy against NVIDIA's own header, on random configurations of every compute capability it
// knows and we do. Skipped, and counted as skipped, where no CUDA toolkit is installed.
#include "machine/Occupancy.h"

#include "support/LaneMask.h"
#include "support/SplitMix64.h"

#include <gtest/gtest.h>

#ifdef HEDDLE_HAVE_CUDA_OCCUPANCY
#include <cuda_occupancy.h>
#endif

namespace heddle::machine {
namespace {

#ifdef HEDDLE_HAVE_CUDA_OCCUPANCY

cudaOccDeviceProp propertiesOf(const SmLimits& limits) {
  cudaOccDeviceProp properties;
  properties.computeMajor = limits.computeCapability.major;
  properties.computeMinor = limits.computeCapability.minor;
  properties.maxThreadsPerBlock = limits.threadsPerBlock;
  properties.maxThreadsPerMultiprocessor = limits.warps * warpSize;
  properties.regsPerBlock = limits.registersPerBlock;
  properties.regsPerMultiprocessor = limits.registers;
  properties.warpSize = warpSize;
  properties.sharedMemPerBlock = std::size_t(limits.sharedPerBlock);
  properties.sharedMemPerMultiprocessor = std::size_t(limits.sharedPerSm());
  properties.numSms = 1;
  properties.sharedMemPerBlockOptin = std::size_t(limits.sharedPerBlockOptIn);
  properties.reservedSharedMemPerBlock = std::size_t(limits.sharedReserved);
  return properties;
}

cudaOccResult askOracle(const SmLimits& limits, const KernelResources& kernel) {
  const cudaOccDeviceProp properties = propertiesOf(limits);
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = limits.threadsPerBlock;
  attributes.numRegs = kernel.registers;
  attributes.sharedSizeBytes = 0;
  attributes.shmemLimitConfig = kernel.optIn ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
  attributes.maxDynamicSharedSizeBytes = std::size_t(kernel.shared);
  attributes.numBlockBarriers = kernel.barriers;
  cudaOccDeviceState state;
  constexpr cudaOccCacheConfig configs[] = {CACHE_PREFER_NONE, CACHE_PREFER_SHARED, CACHE_PREFER_L1,
                                            CACHE_PREFER_EQUAL};
  state.cacheConfig = configs[static_cast<int>(kernel.cache)];
  state.carveoutConfig = kernel.carveoutPercent.value_or(SHAREDMEM_CARVEOUT_DEFAULT);
  cudaOccResult result{};
  EXPECT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
                                                    kernel.threads, std::size_t(kernel.shared)),
            CUDA_OCC_SUCCESS);
  return result;
}

/// Any kernel, somewhat beyond the limits too.
KernelResources randomKernel(const SmLimits& limits, SplitMix64& random) {
  const auto below = [&](int bound) { return int(random.next() % std::uint64_t(bound)); };
  KernelResources kernel;
  kernel.threads = 1 + below(limits.threadsPerBlock + 8);
  kernel.registers = below(limits.registersPerThread + 1);
  if (below(4) > 0)
    kernel.shared = below(below(2) == 0 ? limits.sharedPerBlockOptIn + 4096 : 16384);
  kernel.optIn = below(2) == 0;
  kernel.barriers = below(3) == 0 ? below(17) : 0;
  kernel.cache = static_cast<CachePreference>(below(4));
  if (limits.computeCapability.major >= 7 && below(2) == 0)
    kernel.carveoutPercent = below(101);
  return kernel;
}

void compare(const SmLimits& limits, const KernelResources& kernel) {
  const cudaOccResult expected = askOracle(limits, kernel);
  const Occupancy found = computeOccupancy(limits, kernel);
  const std::string where = fmt::format(
      "cc {} threads {} registers {} shared {} opt-in {} barriers {} cache {} carve-out {}",
      limits.computeCapability.text(), kernel.threads, kernel.registers, kernel.shared,
      kernel.optIn, kernel.barriers, int(kernel.cache), kernel.carveoutPercent.value_or(-1));
  ASSERT_EQ(found.activeBlocks, expected.activeBlocksPerMultiprocessor) << where;
  ASSERT_EQ(found.limitBy(Limiter::Warps), expected.blockLimitWarps) << where;
  ASSERT_EQ(found.limitBy(Limiter::Blocks), expected.blockLimitBlocks) << where;
  ASSERT_EQ(found.limitBy(Limiter::Registers), expected.blockLimitRegs) << where;
  ASSERT_EQ(found.limitBy(Limiter::Shared), expected.blockLimitSharedMem) << where;
  ASSERT_EQ(found.limitBy(Limiter::Barriers), expected.blockLimitBarriers) << where;
  ASSERT_EQ(found.registersPerBlock, expected.allocatedRegistersPerBlock) << where;
  ASSERT_EQ(std::size_t(found.sharedPerBlock), expected.allocatedSharedMemPerBlock) << where;
}

#endif

TEST(OccupancyOracle, AgreesWithNvidiasHeaderOnAMillionConfigurations) {
#ifdef HEDDLE_HAVE_CUDA_OCCUPANCY
  constexpr std::uint32_t perCapability = 50'000;
  std::uint32_t compared = 0;
  SplitMix64 random(1);
  for (const SmLimits& limits : allSmLimits()) {
    if (limits.computeCapability < ComputeCapability{3, 5})
      continue;
    for (std::uint32_t index = 0; index < perCapability; ++index, ++compared) {
      compare(limits, randomKernel(limits, random));
      if (HasFatalFailure())
        return;
    }
  }
  EXPECT_GE(compared, 1'000'000u);
  RecordProperty("configurations", int(compared));
#else
  GTEST_SKIP() << "no CUDA toolkit: cuda_occupancy.h not found";
#endif
}

} // namespace
} // namespace heddle::machine
