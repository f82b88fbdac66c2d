// SPDX-License-Identifier: Apache-2.0
#include "machine/LaunchAdvice.h"

#include "machine/DeviceCatalog.h"

#include <gtest/gtest.h>

namespace heddle::machine {
namespace {

LaunchAdvice adviceFor(const char* name, const KernelResources& kernel,
                       std::optional<std::int64_t> grid = std::nullopt) {
  const Device device = *findDevice(name);
  return adviseLaunch(device, kernel, computeOccupancy(device.limits, kernel), grid);
}

// ME964, "Register Dependency": 192 threads or 6 warps hide 24 cycles, 25 % on 1.0 and 18.75 %
// on 1.3.
TEST(LaunchAdvice, LatencyHidingOfMe964) {
  const LaunchAdvice g80 = adviceFor("g80", {.threads = 192, .registers = 10});
  EXPECT_EQ(g80.warpsToHideArithmetic, 6);
  EXPECT_EQ(g80.occupancyToHideArithmetic, 0.25);
  EXPECT_TRUE(g80.arithmeticHidden);
  EXPECT_EQ(adviceFor("c1060", {.threads = 192, .registers = 10}).occupancyToHideArithmetic,
            0.1875);
  EXPECT_FALSE(adviceFor("g80", {.threads = 160, .registers = 40}).arithmeticHidden);
}

// ME964's screenshot: at most 32 blocks on the GPU.
TEST(LaunchAdvice, BlocksOnTheGpuOfMe964) {
  const LaunchAdvice g80 = adviceFor("g80", {.threads = 192, .registers = 20, .shared = 68});
  EXPECT_EQ(g80.blocksResident, 32);
  EXPECT_EQ(g80.blocksForOnePerSm, 16);
  EXPECT_EQ(g80.blocksForTwoPerSm, 32);
}

TEST(LaunchAdvice, CountsWavesAndTheirTail) {
  const LaunchAdvice h200 = adviceFor("h200", {.threads = 256, .registers = 32}, 1584);
  ASSERT_TRUE(h200.grid);
  EXPECT_EQ(h200.blocksResident, 1056);
  EXPECT_DOUBLE_EQ(h200.grid->waves, 1.5);
  EXPECT_DOUBLE_EQ(h200.grid->lastWaveFilled, 0.5);
  EXPECT_TRUE(h200.grid->everySmBusy);
  EXPECT_FALSE(adviceFor("h200", {.threads = 256, .registers = 32}, 132).grid->everySmBusy);
  EXPECT_EQ(adviceFor("h200", {.threads = 256, .registers = 32}, 1056).grid->lastWaveFilled, 1.0);
}

TEST(LaunchAdvice, CountsIdleLanes) {
  EXPECT_EQ(adviceFor("h200", {.threads = 48, .registers = 32}).idleLanes, 0.25);
  EXPECT_EQ(adviceFor("h200", {.threads = 64, .registers = 32}).idleLanes, 0.0);
}

} // namespace
} // namespace heddle::machine
