// SPDX-License-Identifier: Apache-2.0
#include "machine/ResidentBlocks.h"

#include "machine/DeviceCatalog.h"

#include <gtest/gtest.h>

namespace heddle::machine {
namespace {

SmLimits limitsOf(const char* name) {
  return findDevice(name)->limits;
}

TEST(ResidentBlocks, BlocksThatRunTogether) {
  const SmLimits h200 = limitsOf("h200");
  const auto blocks = [&](int threads, int registers, int shared) {
    return activeBlocks(h200, {.threads = threads, .registers = registers, .shared = shared},
                        RegisterCount::Guess);
  };
  EXPECT_EQ(blocks(64, 32, 0), 32);
  EXPECT_EQ(blocks(1024, 32, 0), 2);
  EXPECT_EQ(blocks(1024, 33, 0), 1);
  EXPECT_EQ(blocks(64, 255, 0), 4);
  EXPECT_EQ(blocks(64, 32, 227 * 1024), 1);
  EXPECT_EQ(blocks(64, 32, 228 * 1024), 0);
  EXPECT_EQ(blocks(2048, 32, 0), 0);
}

TEST(ResidentBlocks, OnlyAFactKeepsABlockFromRunning) {
  // 512 threads with 32 registers each exceed a G80; a compiler that knew would have used 16.
  const KernelResources kernel{.threads = 512, .registers = 32};
  EXPECT_EQ(activeBlocks(limitsOf("g80"), kernel, RegisterCount::Guess), 1);
  EXPECT_EQ(activeBlocks(limitsOf("g80"), kernel, RegisterCount::Fixed), 0);
  const Device h200 = *findDevice("h200");
  const KernelResources wide{.threads = 1024, .registers = 72};
  EXPECT_EQ(residencyOf(h200, wide, RegisterCount::Fixed).blocks, 0);
  const Residency fitting = residencyOf(h200, wide, RegisterCount::Guess);
  EXPECT_EQ(fitting.blocks, h200.multiprocessors);
  EXPECT_EQ(fitting.kernel.registers, 64);
  EXPECT_EQ(fitting.occupancy.activeBlocks, 1);
  EXPECT_EQ(residencyOf(h200, {.threads = 1 << 30}, RegisterCount::Guess).blocks, 0);
}

TEST(ResidentBlocks, RegistersThatCostNoOccupancy) {
  EXPECT_EQ(freeRegisters(limitsOf("h200")), 32);    // 65536 / 2048
  EXPECT_EQ(freeRegisters(limitsOf("t4")), 64);      // 65536 / 1024
  EXPECT_EQ(freeRegisters(limitsOf("rtx4090")), 40); // 65536 / 1536 = 42, in units of 8
  EXPECT_EQ(freeRegisters(limitsOf("gtx580")), 20);  // 32768 / 1536 = 21, in units of 2
  EXPECT_EQ(freeRegisters(limitsOf("g80")), 10);     // 8192 / 768
  for (const SmLimits& limits : allSmLimits()) {
    const KernelResources full{.threads = 128, .registers = freeRegisters(limits)};
    const int atFree = computeOccupancy(limits, full).activeWarps;
    EXPECT_EQ(atFree, computeOccupancy(limits, {.threads = 128, .registers = 1}).activeWarps)
        << limits.computeCapability.text();
  }
}

TEST(ResidentBlocks, LaunchBoundsCapRegisters) {
  const SmLimits h200 = limitsOf("h200");
  EXPECT_EQ(mostRegisters(h200, 0, 0, 0), 255);
  EXPECT_EQ(mostRegisters(h200, 256, 0, 0), 255);
  EXPECT_EQ(mostRegisters(h200, 1024, 0, 0), 64);
  EXPECT_EQ(mostRegisters(h200, 1024, 2, 0), 32);
  EXPECT_EQ(mostRegisters(h200, 256, 3, 0), 80); // 65536 / 768 = 85, in units of 8
  EXPECT_EQ(mostRegisters(h200, 256, 3, 50), 50);
  EXPECT_EQ(mostRegisters(h200, 0, 0, 40), 40);
  EXPECT_EQ(mostRegisters(h200, 1024, 99, 0), 64); // no kernel has 99 such blocks
  EXPECT_EQ(mostRegisters(limitsOf("g80"), 512, 0, 0), 16);
}

} // namespace
} // namespace heddle::machine
