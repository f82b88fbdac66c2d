// SPDX-License-Identifier: Apache-2.0
#include "ApiFixture.h"

#include "cudart/LaunchLimits.h"
#include "cudart/ProgressLine.h"
#include "cudart/Registry.h"
#include "machine/DeviceCatalog.h"

#include <string>

namespace heddle::cudart {
namespace {

using LaunchConfiguration = ApiTest;

machine::SmLimits limitsOf(const char* name) {
  return machine::findDevice(name)->limits;
}

cudaError_t launchNothing(dim3 grid, dim3 block) {
  static int noKernel = 0;
  return cudaLaunchKernel(&noKernel, grid, block, nullptr, 0, nullptr);
}

TEST_F(LaunchConfiguration, ImpossibleSizesAreRefused) {
  for (const dim3 grid : {dim3(0), dim3(1, 0), dim3(1, 65536), dim3(1, 1, 65536), dim3(1U << 31)})
    EXPECT_EQ(launchNothing(grid, 1), cudaErrorInvalidConfiguration);
  for (const dim3 block : {dim3(0), dim3(1025), dim3(1, 1025), dim3(1, 1, 65), dim3(32, 33)})
    EXPECT_EQ(launchNothing(1, block), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
}

TEST_F(LaunchConfiguration, WhatIsNoKernelIsRefused) {
  EXPECT_EQ(launchNothing(dim3(2147483647, 65535, 65535), dim3(16, 1, 64)),
            cudaErrorInvalidDeviceFunction);
  cudaFuncAttributes attributes = {};
  int blocks = 0;
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, this), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaFuncSetAttribute(this, cudaFuncAttributeMaxDynamicSharedMemorySize, 1),
            cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, this, 64, 0),
            cudaErrorInvalidDeviceFunction);
}

TEST_F(LaunchConfiguration, ConfigurationsNest) {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
            cudaErrorMissingConfiguration);
  ASSERT_EQ(__cudaPushCallConfiguration(dim3(1), dim3(2), 3, nullptr), 0U);
  ASSERT_EQ(__cudaPushCallConfiguration(dim3(4), dim3(5), 6, cudaStreamLegacy), 0U);
  ASSERT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(grid.x, 4U);
  EXPECT_EQ(stream, cudaStreamLegacy);
  ASSERT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(block.x, 2U);
  EXPECT_EQ(shared, 3U);
}

TEST(LaunchLimits, OldGpusHaveSmallerGrids) {
  EXPECT_FALSE(isValidConfiguration(limitsOf("g80"), dim3(65536), dim3(1)));
  EXPECT_FALSE(isValidConfiguration(limitsOf("g80"), dim3(1, 1, 2), dim3(1)));
  EXPECT_FALSE(isValidConfiguration(limitsOf("g80"), dim3(1), dim3(513)));
  EXPECT_TRUE(isValidConfiguration(limitsOf("gtx580"), dim3(1, 1, 65535), dim3(1024)));
}

TEST(LaunchLimits, OptingInRaisesSharedMemory) {
  EXPECT_EQ(sharedAllowed(limitsOf("h200"), 100, 0), 48 * 1024);
  EXPECT_EQ(sharedAllowed(limitsOf("h200"), 100, 1000), 48 * 1024);
  EXPECT_EQ(sharedAllowed(limitsOf("h200"), 100, 100000), 100100);
}

TEST(Container, HoldsBitcode) {
  const char data[] = "HEDDLEFB\x03\0\0\0\0\0\0\0abcdef";
  const FatBinaryWrapper wrapper = {FatBinaryWrapper::expectedMagic, 1, data, nullptr};
  EXPECT_EQ(openContainer(wrapper).value(), "abc");
}

TEST(Container, ForeignDeviceCodeIsRefused) {
  const char data[] = "\x50\xed\x55\xba of another compiler";
  const FatBinaryWrapper wrapper = {FatBinaryWrapper::expectedMagic, 1, data, nullptr};
  const auto opened = openContainer(wrapper);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("Heddle did not compile"), std::string::npos);
}

TEST(Progress, SaysWhatIsLeft) {
  EXPECT_EQ(
      describeProgress("transport",
                       {.blocksDone = 100, .blocks = 400, .threadInstructions = 5'000'000'000}, 2),
      "transport  100 of 400 blocks  2.5 G thread-instructions/s  6 s left");
  EXPECT_EQ(describeProgress("transport", {.blocksDone = 0, .blocks = 4}, 1),
            "transport  0 of 4 blocks  0.0 G thread-instructions/s");
}

} // namespace
} // namespace heddle::cudart
