// SPDX-License-Identifier: Apache-2.0
#include "ApiFixture.h"

#include <array>

namespace heddle::cudart {
namespace {

class Advices : public ApiTest {
protected:
  Advices() {
    void* memory = nullptr;
    EXPECT_EQ(cudaMallocManaged(&memory, size, cudaMemAttachGlobal), cudaSuccess);
    begin = static_cast<char*>(memory);
  }

  static int ask(cudaMemRangeAttribute attribute, const void* at, std::size_t length) {
    int value = 99;
    EXPECT_EQ(cudaMemRangeGetAttribute(&value, sizeof value, attribute, at, length), cudaSuccess);
    return value;
  }

  static constexpr std::size_t size = 4096;
  char* begin = nullptr;
};

TEST_F(Advices, NothingIsSaidAtFirst) {
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, begin, size), 0);
  EXPECT_EQ(ask(cudaMemRangeAttributePreferredLocation, begin, size), cudaInvalidDeviceId);
  EXPECT_EQ(ask(cudaMemRangeAttributeLastPrefetchLocation, begin, size), cudaInvalidDeviceId);
}

TEST_F(Advices, HoldForAPartOfAnAllocation) {
  ASSERT_EQ(cudaMemAdvise(begin + 1024, 1024, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, begin + 1024, 1024), 1);
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, begin + 1023, 1024), 0);
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, begin + 2047, 2), 0);
  ASSERT_EQ(cudaMemAdvise(begin, size, cudaMemAdviseUnsetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, begin + 1024, 1024), 0);
}

TEST_F(Advices, PlacesAreTold) {
  ASSERT_EQ(cudaMemAdvise(begin, size, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId),
            cudaSuccess);
  ASSERT_EQ(cudaMemPrefetchAsync(begin, size / 2, 0, nullptr), cudaSuccess);
  EXPECT_EQ(ask(cudaMemRangeAttributePreferredLocation, begin, size), cudaCpuDeviceId);
  EXPECT_EQ(ask(cudaMemRangeAttributeLastPrefetchLocation, begin, size / 2), 0);
  EXPECT_EQ(ask(cudaMemRangeAttributeLastPrefetchLocation, begin, size), cudaInvalidDeviceId);
  ASSERT_EQ(cudaMemAdvise(begin, size, cudaMemAdviseUnsetPreferredLocation, 0), cudaSuccess);
  EXPECT_EQ(ask(cudaMemRangeAttributePreferredLocation, begin, size), cudaInvalidDeviceId);
}

TEST_F(Advices, AccessorsFillTheirRoom) {
  std::array<int, 3> places = {};
  ASSERT_EQ(cudaMemAdvise(begin, size, cudaMemAdviseSetAccessedBy, 0), cudaSuccess);
  ASSERT_EQ(cudaMemRangeGetAttribute(places.data(), sizeof places, cudaMemRangeAttributeAccessedBy,
                                     begin, size),
            cudaSuccess);
  EXPECT_EQ(places, (std::array<int, 3>{0, cudaInvalidDeviceId, cudaInvalidDeviceId}));
  EXPECT_EQ(cudaMemRangeGetAttribute(places.data(), 3, cudaMemRangeAttributeAccessedBy, begin, 8),
            cudaErrorInvalidValue);
}

TEST_F(Advices, SeveralAttributesAtOnce) {
  int mostly = 9, preferred = 9;
  std::array<void*, 2> data = {&mostly, &preferred};
  std::array<std::size_t, 2> sizes = {sizeof mostly, sizeof preferred};
  std::array<cudaMemRangeAttribute, 2> attributes = {cudaMemRangeAttributeReadMostly,
                                                     cudaMemRangeAttributePreferredLocation};
  ASSERT_EQ(cudaMemRangeGetAttributes(data.data(), sizes.data(), attributes.data(), 2, begin, size),
            cudaSuccess);
  EXPECT_EQ(mostly, 0);
  EXPECT_EQ(preferred, cudaInvalidDeviceId);
  EXPECT_EQ(cudaMemRangeGetAttributes(data.data(), sizes.data(), attributes.data(), 0, begin, size),
            cudaErrorInvalidValue);
}

TEST_F(Advices, OnlyManagedMemoryAndKnownDevices) {
  void* device = nullptr;
  int value = 0;
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(device, 64, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(device, 64, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(begin, size + 1, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(begin, size, 3, nullptr), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemAdvise(begin, size, cudaMemAdviseSetAccessedBy, 3), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemRangeGetAttribute(&value, 2, cudaMemRangeAttributeReadMostly, begin, size),
            cudaErrorInvalidValue);
}

TEST_F(Advices, NewMemoryKnowsNothingOfTheOld) {
  ASSERT_EQ(cudaMemAdvise(begin, size, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  ASSERT_EQ(cudaFree(begin), cudaSuccess);
  void* again = nullptr;
  ASSERT_EQ(cudaMallocManaged(&again, size, cudaMemAttachGlobal), cudaSuccess);
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, again, size), 0);
}

} // namespace
} // namespace heddle::cudart
