// SPDX-License-Identifier: Apache-2.0
//
// Occupancy against numbers in print: Carrillo's table 1 and register cases, the whole ME964
// screenshot, and the limits of each compute capability.
#include "machine/Occupancy.h"

#include "support/LaneMask.h"

#include <gtest/gtest.h>

namespace heddle::machine {
namespace {

SmLimits limitsOf(int major, int minor) {
  return *findSmLimits({major, minor});
}

KernelResources kernel(int threads, int registers, int shared = 0) {
  return {.threads = threads, .registers = registers, .shared = shared};
}

TEST(Occupancy, TableOneOfCarrillo) {
  const SmLimits g80 = limitsOf(1, 0);
  EXPECT_EQ(g80.threadsPerBlock, 512);
  EXPECT_EQ(g80.registers, 8192);
  EXPECT_EQ(g80.sharedPerSm(), 16 * 1024);
  EXPECT_EQ(g80.blocks, 8);
  EXPECT_EQ(g80.warps, 24);
  EXPECT_EQ(g80.warps * warpSize, 768);
}

TEST(Occupancy, RegisterCasesOfCarrillo) {
  const SmLimits g80 = limitsOf(1, 0);
  for (const int registers : {6, 10})
    EXPECT_EQ(computeOccupancy(g80, kernel(256, registers)).occupancy, 1.0) << registers;
  for (const int registers : {11, 12, 13})
    EXPECT_NEAR(computeOccupancy(g80, kernel(256, registers)).occupancy, 0.667, 0.001) << registers;
}

TEST(Occupancy, TheFirstGenerationRoundsWarpsUpToTwo) {
  // 3 warps count as 4: 4 * 32 * 10 = 1280 registers, not 960 rounded up to 1024.
  EXPECT_EQ(computeOccupancy(limitsOf(1, 0), kernel(96, 10)).registersPerBlock, 1280);
  EXPECT_EQ(computeOccupancy(limitsOf(1, 3), kernel(96, 10)).registersPerBlock, 1536);
}

TEST(Occupancy, WholeScreenshotOfMe964) {
  const Occupancy o = computeOccupancy(limitsOf(1, 0), kernel(192, 20, 68));
  EXPECT_EQ(o.activeThreads, 384);
  EXPECT_EQ(o.activeWarps, 12);
  EXPECT_EQ(o.activeBlocks, 2);
  EXPECT_EQ(o.occupancy, 0.5);
  EXPECT_EQ(o.warpsPerBlock, 6);
  EXPECT_EQ(o.registersPerBlock, 3840);
  EXPECT_EQ(o.sharedPerBlock, 512);
  EXPECT_EQ(o.limitBy(Limiter::Warps), 4);
  EXPECT_EQ(o.limitBy(Limiter::Registers), 2);
  EXPECT_EQ(o.limitBy(Limiter::Shared), 32);
  EXPECT_EQ(o.limiter(), Limiter::Registers);
}

struct LimitRow {
  ComputeCapability cc;
  int warps, blocks, registersK, perThread, unit, partitions, sharedKiB, sharedUnit, reserved;
};

// The table of docs/design/occupancy.md.
const LimitRow limitRows[] = {
    {{1, 0}, 24, 8, 8, 124, 256, 1, 16, 512, 0},
    {{1, 1}, 24, 8, 8, 124, 256, 1, 16, 512, 0},
    {{1, 2}, 32, 8, 16, 124, 512, 1, 16, 512, 0},
    {{1, 3}, 32, 8, 16, 124, 512, 1, 16, 512, 0},
    {{2, 0}, 48, 8, 32, 63, 64, 2, 48, 128, 0},
    {{2, 1}, 48, 8, 32, 63, 64, 2, 48, 128, 0},
    {{3, 0}, 64, 16, 64, 63, 256, 4, 48, 256, 0},
    {{3, 5}, 64, 16, 64, 255, 256, 4, 48, 256, 0},
    {{3, 7}, 64, 16, 128, 255, 256, 4, 112, 256, 0},
    {{5, 0}, 64, 32, 64, 255, 256, 4, 64, 256, 0},
    {{5, 2}, 64, 32, 64, 255, 256, 4, 96, 256, 0},
    {{5, 3}, 64, 32, 64, 255, 256, 4, 64, 256, 0},
    {{6, 0}, 64, 32, 64, 255, 256, 2, 64, 256, 0},
    {{6, 1}, 64, 32, 64, 255, 256, 4, 96, 256, 0},
    {{6, 2}, 64, 32, 64, 255, 256, 4, 64, 256, 0},
    {{7, 0}, 64, 32, 64, 255, 256, 4, 96, 256, 0},
    {{7, 2}, 64, 32, 64, 255, 256, 4, 96, 256, 0},
    {{7, 5}, 32, 16, 64, 255, 256, 4, 64, 256, 0},
    {{8, 0}, 64, 32, 64, 255, 256, 4, 164, 128, 1024},
    {{8, 6}, 48, 16, 64, 255, 256, 4, 100, 128, 1024},
    {{8, 7}, 48, 16, 64, 255, 256, 4, 164, 128, 1024},
    {{8, 8}, 48, 16, 64, 255, 256, 4, 100, 128, 1024},
    {{8, 9}, 48, 24, 64, 255, 256, 4, 100, 128, 1024},
    {{9, 0}, 64, 32, 64, 255, 256, 4, 228, 128, 1024},
    {{10, 0}, 64, 32, 64, 255, 256, 4, 228, 128, 1024},
    {{10, 3}, 64, 32, 64, 255, 256, 4, 228, 128, 1024},
    {{11, 0}, 48, 24, 64, 255, 256, 4, 228, 128, 1024},
    {{12, 0}, 48, 24, 64, 255, 256, 4, 100, 128, 1024},
    {{12, 1}, 48, 24, 64, 255, 256, 4, 100, 128, 1024},
};

TEST(Occupancy, LimitsOfEveryComputeCapability) {
  ASSERT_EQ(std::size(limitRows), allSmLimits().size());
  for (const LimitRow& row : limitRows) {
    const SmLimits limits = *findSmLimits(row.cc);
    SCOPED_TRACE(row.cc.text());
    EXPECT_EQ(limits.warps, row.warps);
    EXPECT_EQ(limits.blocks, row.blocks);
    EXPECT_EQ(limits.registers, row.registersK * 1024);
    EXPECT_EQ(limits.registersPerThread, row.perThread);
    EXPECT_EQ(limits.registerUnit, row.unit);
    EXPECT_EQ(limits.partitions, row.partitions);
    EXPECT_EQ(limits.sharedPerSm(), row.sharedKiB * 1024);
    EXPECT_EQ(limits.sharedUnit, row.sharedUnit);
    EXPECT_EQ(limits.sharedReserved, row.reserved);
  }
  EXPECT_EQ(limitsOf(3, 7).registersPerBlock, 64 * 1024);
  EXPECT_EQ(limitsOf(5, 3).registersPerBlock, 32 * 1024);
  EXPECT_EQ(limitsOf(6, 2).registersPerBlock, 32 * 1024);
}

TEST(Occupancy, FermiDoublesTheUnitForEightRegisterCounts) {
  const SmLimits fermi = limitsOf(2, 0);
  for (const int registers : {21, 22, 29, 30, 37, 38, 45, 46}) {
    const int perWarp = computeOccupancy(fermi, kernel(32, registers)).registersPerBlock;
    EXPECT_EQ(perWarp % 128, 0) << registers;
  }
  EXPECT_EQ(computeOccupancy(fermi, kernel(32, 21)).registersPerBlock, 768);
  EXPECT_EQ(computeOccupancy(fermi, kernel(32, 20)).registersPerBlock, 640);
}

TEST(Occupancy, PascalP100MustFitTheFourPartitionRule) {
  // 22 warps of 88 registers, 2816 a warp: two partitions hold 11 warps each, but four hold only 5.
  const KernelResources tight = kernel(22 * 32, 88);
  EXPECT_EQ(2 * (limitsOf(6, 0).registers / 2 / 2816), 22);
  EXPECT_EQ(computeOccupancy(limitsOf(6, 1), tight).limitBy(Limiter::Registers), 0);
  EXPECT_EQ(computeOccupancy(limitsOf(6, 0), tight).limitBy(Limiter::Registers), 0);
  EXPECT_EQ(computeOccupancy(limitsOf(6, 0), kernel(20 * 32, 88)).limitBy(Limiter::Registers), 1);
}

TEST(Occupancy, CarveOutsLimitBlocks) {
  const SmLimits hopper = limitsOf(9, 0);
  KernelResources k = kernel(128, 32, 7 * 1024); // a block takes 8 KiB with what is reserved
  EXPECT_EQ(computeOccupancy(hopper, k).limitBy(Limiter::Shared), 28);
  k.carveoutPercent = 25; // 57 KiB, rounded up to 64
  EXPECT_EQ(computeOccupancy(hopper, k).sharedPerSm, 64 * 1024);
  EXPECT_EQ(computeOccupancy(hopper, k).limitBy(Limiter::Shared), 8);
  k.carveoutPercent = 0; // less than a block needs: the smallest size that holds one
  EXPECT_EQ(computeOccupancy(hopper, k).limitBy(Limiter::Shared), 1);
}

TEST(Occupancy, KeplerDividesItsCache) {
  KernelResources k = kernel(128, 16, 4096);
  EXPECT_EQ(computeOccupancy(limitsOf(3, 5), k).sharedPerSm, 48 * 1024);
  k.cache = CachePreference::PreferL1;
  EXPECT_EQ(computeOccupancy(limitsOf(3, 5), k).sharedPerSm, 16 * 1024);
  k.cache = CachePreference::PreferEqual;
  EXPECT_EQ(computeOccupancy(limitsOf(3, 5), k).sharedPerSm, 32 * 1024);
}

TEST(Occupancy, BarriersLimitFromHopperOn) {
  KernelResources k = kernel(32, 16);
  k.barriers = 16;
  EXPECT_EQ(computeOccupancy(limitsOf(9, 0), k).activeBlocks, 4);
  EXPECT_EQ(computeOccupancy(limitsOf(12, 0), k).activeBlocks, 1);
  EXPECT_EQ(computeOccupancy(limitsOf(8, 0), k).activeBlocks, 32);
  EXPECT_EQ(computeOccupancy(limitsOf(9, 0), k).limiter(), Limiter::Barriers);
}

TEST(Occupancy, MoreSharedMemoryNeedsOptingIn) {
  KernelResources k = kernel(128, 32, 100 * 1024);
  EXPECT_EQ(computeOccupancy(limitsOf(9, 0), k).activeBlocks, 2);
  k.optIn = false;
  EXPECT_EQ(computeOccupancy(limitsOf(9, 0), k).activeBlocks, 0);
}

TEST(Occupancy, TooManyRegistersForABlockDoNotLaunch) {
  const Occupancy o = computeOccupancy(limitsOf(9, 0), kernel(1024, 128));
  EXPECT_EQ(o.activeBlocks, 0);
  EXPECT_EQ(o.occupancy, 0);
  EXPECT_EQ(o.limiter(), Limiter::Registers);
}

TEST(Occupancy, FullOccupancyNamesTheWarps) {
  const Occupancy o = computeOccupancy(limitsOf(9, 0), kernel(256, 32));
  EXPECT_EQ(o.occupancy, 1.0);
  EXPECT_EQ(o.limiter(), Limiter::Warps);
}

TEST(Occupancy, ImpossibleRequestsAreNamed) {
  const SmLimits hopper = limitsOf(9, 0);
  const auto message = [&](const KernelResources& k) {
    return validateResources(hopper, k).error().message;
  };
  EXPECT_EQ(message(kernel(0, 32)), "0 threads per block: compute capability 9.0 allows 1 to 1024");
  EXPECT_EQ(message(kernel(5000, 32)),
            "5000 threads per block: compute capability 9.0 allows 1 to 1024");
  EXPECT_NE(message(kernel(32, 256)).find("256 registers per thread"), std::string::npos);
  EXPECT_NE(message(kernel(32, 256)).find("spills"), std::string::npos);
  EXPECT_EQ(message(kernel(32, 1, 300'000)), "300000 bytes of shared memory per block: compute "
                                             "capability 9.0 allows 0 to 232448");
  KernelResources k = kernel(32, 1);
  k.barriers = 17;
  EXPECT_EQ(message(k), "17 barriers per block: every GPU allows 0 to 16");
  k.barriers = 0;
  k.carveoutPercent = 101;
  EXPECT_EQ(message(k), "a carve-out of 101 %: expected 0 to 100");
  k.carveoutPercent = 50;
  EXPECT_FALSE(validateResources(limitsOf(3, 5), k));
  EXPECT_TRUE(validateResources(hopper, k));
}

} // namespace
} // namespace heddle::machine
