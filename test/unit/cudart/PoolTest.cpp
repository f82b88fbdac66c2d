// SPDX-License-Identifier: Apache-2.0
#include "ApiFixture.h"

#include <cstdint>

namespace heddle::cudart {
namespace {

constexpr std::uint64_t poolPiece = std::uint64_t{32} << 20; ///< by which a GPU's pools grow

class PoolsOfDevice : public ApiTest {
protected:
  PoolsOfDevice() { EXPECT_EQ(cudaDeviceGetDefaultMemPool(&preset, 0), cudaSuccess); }

  static std::uint64_t count(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    std::uint64_t value = 99;
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, attribute, &value), cudaSuccess);
    return value;
  }

  cudaMemPool_t preset = nullptr;
};

TEST_F(PoolsOfDevice, ADeviceHasOneFromTheStart) {
  cudaMemPool_t current = nullptr;
  ASSERT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, preset);
  EXPECT_EQ(cudaDeviceGetMemPool(&current, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(nullptr, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolDestroy(preset), cudaErrorInvalidValue);
}

TEST_F(PoolsOfDevice, CountsWhatIsTaken) {
  void *first = nullptr, *second = nullptr;
  ASSERT_EQ(cudaMallocAsync(&first, 1000, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&second, poolPiece, nullptr), cudaSuccess);
  EXPECT_EQ(count(preset, cudaMemPoolAttrUsedMemCurrent), 1000 + poolPiece);
  EXPECT_EQ(count(preset, cudaMemPoolAttrReservedMemCurrent), 2 * poolPiece);
  ASSERT_EQ(cudaFreeAsync(second, nullptr), cudaSuccess);
  EXPECT_EQ(count(preset, cudaMemPoolAttrUsedMemCurrent), 1000U);
  EXPECT_EQ(count(preset, cudaMemPoolAttrUsedMemHigh), 1000 + poolPiece);
  EXPECT_EQ(count(preset, cudaMemPoolAttrReservedMemCurrent), poolPiece);
  std::uint64_t none = 0, other = 5;
  EXPECT_EQ(cudaMemPoolSetAttribute(preset, cudaMemPoolAttrUsedMemHigh, &none), cudaSuccess);
  EXPECT_EQ(count(preset, cudaMemPoolAttrUsedMemHigh), 1000U);
  for (const cudaMemPoolAttr counted : {cudaMemPoolAttrUsedMemHigh, cudaMemPoolAttrUsedMemCurrent})
    EXPECT_EQ(cudaMemPoolSetAttribute(preset, counted, &other), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeAsync(first, nullptr), cudaSuccess);
}

TEST_F(PoolsOfDevice, KeepsWhatItsThresholdSays) {
  std::uint64_t threshold = 3 * poolPiece;
  ASSERT_EQ(cudaMemPoolSetAttribute(preset, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  void* memory = nullptr;
  ASSERT_EQ(cudaMallocAsync(&memory, 2 * poolPiece, nullptr), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(memory, nullptr), cudaSuccess);
  EXPECT_EQ(count(preset, cudaMemPoolAttrReservedMemCurrent), 2 * poolPiece);
  EXPECT_EQ(cudaMemPoolTrimTo(preset, poolPiece), cudaSuccess);
  EXPECT_EQ(count(preset, cudaMemPoolAttrReservedMemCurrent), poolPiece);
  EXPECT_EQ(cudaMemPoolTrimTo(nullptr, 0), cudaErrorInvalidValue);
}

TEST_F(PoolsOfDevice, AProgramMakesItsOwn) {
  const cudaMemPoolProps properties = {};
  cudaMemPool_t own = nullptr;
  EXPECT_EQ(cudaMemPoolCreate(&own, nullptr), cudaErrorInvalidValue);
  ASSERT_EQ(cudaMemPoolCreate(&own, &properties), cudaSuccess);
  EXPECT_EQ(cudaDeviceSetMemPool(1, own), cudaErrorInvalidDevice);
  ASSERT_EQ(cudaDeviceSetMemPool(0, own), cudaSuccess);
  void* memory = nullptr;
  ASSERT_EQ(cudaMallocAsync(&memory, 8, nullptr), cudaSuccess);
  EXPECT_EQ(count(own, cudaMemPoolAttrUsedMemCurrent), 8U);
  EXPECT_EQ(count(preset, cudaMemPoolAttrUsedMemCurrent), 0U);
  int follows = 0;
  ASSERT_EQ(cudaMemPoolSetAttribute(own, cudaMemPoolReuseFollowEventDependencies, &follows),
            cudaSuccess);
  follows = 7;
  ASSERT_EQ(cudaMemPoolGetAttribute(own, cudaMemPoolReuseFollowEventDependencies, &follows),
            cudaSuccess);
  EXPECT_EQ(follows, 0);
  ASSERT_EQ(cudaMemPoolDestroy(own), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(own), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeAsync(memory, nullptr), cudaSuccess); // outlives its pool
  cudaMemPool_t current = nullptr;
  ASSERT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, preset);
}

} // namespace
} // namespace heddle::cudart
