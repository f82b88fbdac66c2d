// SPDX-License-Identifier: Apache-2.0
#include "ApiFixture.h"

#include "cudart/Clusters.h"
#include "machine/DeviceCatalog.h"

namespace heddle::cudart {
namespace {

using Grid = std::array<int, 3>;

cudaError_t check(const char* device, const ClusterWish& wish, const Grid& grid) {
  return checkClusters(machine::findDevice(device)->limits, wish, grid);
}

ClusterWish byLaunch(unsigned x, unsigned y, unsigned z, bool allowsLarge = false) {
  return {.ofKernel = {}, .ofLaunch = dim3(x, y, z), .allowsLarge = allowsLarge};
}

TEST(Clusters, TheGridMustBeDividedByThem) {
  EXPECT_EQ(check("h200", byLaunch(2, 1, 1), {8, 1, 1}), cudaSuccess);
  EXPECT_EQ(check("h200", byLaunch(3, 2, 1), {9, 4, 5}), cudaSuccess);
  EXPECT_EQ(check("h200", byLaunch(2, 1, 1), {7, 1, 1}), cudaErrorInvalidClusterSize);
  EXPECT_EQ(check("h200", byLaunch(2, 2, 1), {8, 1, 1}), cudaErrorInvalidClusterSize);
}

TEST(Clusters, MoreThanEightBlocksMustBeAllowed) {
  EXPECT_EQ(check("h200", byLaunch(8, 1, 1), {32, 1, 1}), cudaSuccess);
  EXPECT_EQ(check("h200", byLaunch(16, 1, 1), {32, 1, 1}), cudaErrorInvalidClusterSize);
  EXPECT_EQ(check("h200", byLaunch(16, 1, 1, true), {32, 1, 1}), cudaSuccess);
  EXPECT_EQ(check("h200", byLaunch(32, 1, 1, true), {32, 1, 1}), cudaErrorInvalidClusterSize);
  EXPECT_EQ(check("h200", byLaunch(1U << 31, 2, 1, true), {32, 2, 1}), cudaErrorInvalidClusterSize);
  EXPECT_EQ(check("h200", byLaunch(65536, 65536, 65536, true), {32, 2, 1}),
            cudaErrorInvalidClusterSize);
  EXPECT_EQ(check("h200", byLaunch(2, 0, 1), {32, 1, 1}), cudaErrorInvalidClusterSize);
}

TEST(Clusters, ThoseOfTheKernelStay) {
  const ClusterWish kernels = {.ofKernel = {2, 1, 1}, .ofLaunch = {}};
  EXPECT_TRUE(kernels.asks());
  EXPECT_EQ(kernels.cluster(), (Grid{2, 1, 1}));
  EXPECT_EQ(check("h200", kernels, {4, 1, 1}), cudaSuccess);
  EXPECT_EQ(check("h200", {.ofKernel = {2, 1, 1}, .ofLaunch = dim3(4)}, {4, 1, 1}),
            cudaErrorInvalidClusterSize);
}

TEST(Clusters, OlderDevicesHaveNone) {
  for (const char* device : {"a100", "gtx780", "g80"}) {
    EXPECT_EQ(check(device, byLaunch(2, 1, 1), {8, 1, 1}), cudaErrorNotSupported) << device;
    EXPECT_EQ(check(device, byLaunch(1, 1, 1), {8, 1, 1}), cudaSuccess) << device;
  }
}

using ClusterApi = ApiTest;

TEST_F(ClusterApi, AsksForAKernel) {
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  int number = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveClusters(&number, this, &config), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaOccupancyMaxPotentialClusterSize(&number, this, &config),
            cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaFuncSetAttribute(this, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
            cudaErrorInvalidDeviceFunction);
}

} // namespace
} // namespace heddle::cudart
