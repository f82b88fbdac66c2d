// SPDX-License-Identifier: Apache-2.0
#include "ApiFixture.h"

#include <cstdint>

namespace heddle::cudart {
namespace {

using Allocation = ApiTest;

TEST_F(Allocation, ZeroBytesAreNoPointer) {
  void* pointer = this;
  EXPECT_EQ(cudaMalloc(&pointer, 0), cudaSuccess);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
}

TEST_F(Allocation, MoreThanTheDeviceHasIsOutOfMemory) {
  std::size_t free = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(total, std::size_t{143771} << 20); // an H200
  EXPECT_EQ(free, total);
  void* pointer = this;
  EXPECT_EQ(cudaMalloc(&pointer, total + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(pointer, nullptr);
  ASSERT_EQ(cudaMalloc(&pointer, 1000), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(free, total - 1000);
}

TEST_F(Allocation, FreeTakesWhatMallocGave) {
  void *device = nullptr, *pinned = nullptr, *managed = nullptr;
  int host = 0;
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal), cudaSuccess);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(&host), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(static_cast<char*>(device) + 8), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(Allocation, ResetFreesEverything) {
  void* pointer = nullptr;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaMalloc(&pointer, 64), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
}

TEST_F(Allocation, PitchesAreMultiplesOf512) {
  void* pointer = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&pointer, &pitch, 513, 10), cudaSuccess);
  EXPECT_EQ(pitch, 1024U);
  EXPECT_EQ(cudaMemset2D(pointer, pitch, 1, 513, 10), cudaSuccess);
  EXPECT_EQ(cudaMemset2D(pointer, pitch, 1, 513, 11), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset2D(pointer, 512, 1, 513, 2), cudaErrorInvalidValue);
}

// As an H200 answers.
TEST_F(Allocation, PointersSayWhatTheyAre) {
  char host[64];
  char *device = nullptr, *pinned = nullptr, *managed = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&device), 64), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned), 64), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&managed), 64, cudaMemAttachGlobal),
            cudaSuccess);
  struct Case {
    char* pointer;
    cudaMemoryType type;
    int device;
    bool hasDevice, hasHost;
  };
  for (const Case& one : {Case{host, cudaMemoryTypeUnregistered, -2, false, true},
                          Case{device, cudaMemoryTypeDevice, 0, true, false},
                          Case{device + 8, cudaMemoryTypeDevice, 0, true, false},
                          Case{device + 64, cudaMemoryTypeUnregistered, -2, false, true},
                          Case{pinned, cudaMemoryTypeHost, 0, true, true},
                          Case{managed, cudaMemoryTypeManaged, 0, true, true}}) {
    cudaPointerAttributes attributes = {};
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, one.pointer), cudaSuccess);
    EXPECT_EQ(attributes.type, one.type);
    EXPECT_EQ(attributes.device, one.device);
    EXPECT_EQ(attributes.devicePointer, one.hasDevice ? one.pointer : nullptr);
    EXPECT_EQ(attributes.hostPointer, one.hasHost ? one.pointer : nullptr);
  }
}

TEST_F(Allocation, RegisteredMemoryIsOnePointerForBothSides) {
  char host[64];
  void* device = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&device, host, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(host), cudaErrorHostMemoryNotRegistered);
  ASSERT_EQ(cudaHostRegister(host, sizeof host, cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(host + 8, 8, 0), cudaErrorHostMemoryAlreadyRegistered);
  ASSERT_EQ(cudaHostGetDevicePointer(&device, host, 0), cudaSuccess);
  EXPECT_EQ(device, host);
  EXPECT_EQ(cudaHostUnregister(host), cudaSuccess);
}

TEST_F(Allocation, HintsNameManagedMemory) {
  void *managed = nullptr, *device = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 64, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 64, cudaCpuDeviceId, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 65, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 64, 1, nullptr), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPrefetchAsync(device, 64, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, 7), cudaSuccess);
  EXPECT_EQ(cudaMallocManaged(&managed, 64, 0), cudaErrorInvalidValue);
}

} // namespace
} // namespace heddle::cudart
