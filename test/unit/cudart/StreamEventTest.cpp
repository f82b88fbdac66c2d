// SPDX-License-Identifier: Apache-2.0
#include "ApiFixture.h"

#include <string>

namespace heddle::cudart {
namespace {

using Streams = ApiTest;
using Events = ApiTest;

TEST_F(Streams, DefaultStreamsAreAlwaysThere) {
  for (const cudaStream_t stream : {cudaStream_t{}, cudaStreamLegacy, cudaStreamPerThread}) {
    EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  }
}

TEST_F(Streams, ADestroyedStreamIsRecognised) {
  cudaStream_t first = nullptr, second = nullptr;
  ASSERT_EQ(cudaStreamCreate(&first), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(first), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(first), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&second), cudaSuccess);
  EXPECT_NE(first, second);
  EXPECT_EQ(cudaStreamSynchronize(first), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaMemsetAsync(nullptr, 0, 0, first), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaLaunchKernel(this, dim3(1), dim3(1), nullptr, 0, first),
            cudaErrorInvalidResourceHandle);
}

TEST_F(Streams, FlagsAndPrioritiesAreKept) {
  cudaStream_t stream = nullptr;
  unsigned flags = 9;
  int priority = 9;
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 2), cudaErrorInvalidValue);
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100), cudaSuccess);
  ASSERT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  ASSERT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(priority, -5);
}

TEST_F(Streams, TheDeviceOfAStreamIsTheOnlyOne) {
  cudaStream_t stream = nullptr;
  int device = 9;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaStreamGetDevice(stream, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamGetDevice(stream, &device), cudaSuccess);
  EXPECT_EQ(device, 0);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamGetDevice(stream, &device), cudaErrorInvalidResourceHandle);
}

TEST_F(Streams, CallbacksRunAtOnceAndMayCallUs) {
  std::string order;
  const auto append = [](cudaStream_t, cudaError_t status, void* text) {
    EXPECT_EQ(status, cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    static_cast<std::string*>(text)->push_back('a');
  };
  ASSERT_EQ(cudaStreamAddCallback(nullptr, append, &order, 0), cudaSuccess);
  const auto appendHost = [](void* text) { static_cast<std::string*>(text)->push_back('b'); };
  ASSERT_EQ(cudaLaunchHostFunc(nullptr, appendHost, &order), cudaSuccess);
  EXPECT_EQ(order, "ab");
  EXPECT_EQ(cudaLaunchHostFunc(nullptr, nullptr, &order), cudaErrorInvalidValue);
}

TEST_F(Events, TimePasses) {
  cudaEvent_t begin = nullptr, end = nullptr;
  float milliseconds = -1;
  ASSERT_EQ(cudaEventCreate(&begin), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, end), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventQuery(begin), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(begin, nullptr), cudaSuccess);
  void* memory = nullptr;
  constexpr std::size_t size = 12'000'000;
  ASSERT_EQ(cudaMalloc(&memory, size), cudaSuccess);
  const std::vector<char> bytes(size);
  ASSERT_EQ(cudaMemcpy(memory, bytes.data(), size, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(end, nullptr), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(end), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&milliseconds, begin, end), cudaSuccess);
  EXPECT_NEAR(milliseconds, 1, 0.01) << "12 GB/s over the bus, whatever this machine takes";
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&milliseconds, begin, begin), cudaSuccess);
  EXPECT_EQ(milliseconds, 0);
  ASSERT_EQ(cudaEventElapsedTime(&milliseconds, end, begin), cudaSuccess);
  EXPECT_EQ(milliseconds, 0); // never negative
}

TEST_F(Events, WithoutTimingThereIsNoTime) {
  cudaEvent_t event = nullptr;
  float milliseconds = 0;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, event), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventCreateWithFlags(&event, 64), cudaErrorInvalidValue);
}

TEST_F(Events, ADestroyedEventIsRecognised) {
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, event, 0), cudaSuccess);
  ASSERT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, event, 0), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
}

} // namespace
} // namespace heddle::cudart
