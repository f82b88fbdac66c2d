// SPDX-License-Identifier: Apache-2.0
#include "ApiFixture.h"

namespace heddle::cudart {
namespace {

class StreamAttributes : public ApiTest {
protected:
  StreamAttributes() { EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess); }

  static cudaLaunchAttributeValue told(cudaStream_t of, cudaLaunchAttributeID attribute) {
    cudaLaunchAttributeValue value = {};
    EXPECT_EQ(cudaStreamGetAttribute(of, attribute, &value), cudaSuccess);
    return value;
  }

  cudaStream_t stream = nullptr;
};

// Of a stream that nobody has changed. How the host waits, CUDA documents for a device: it chooses
// by itself (cudaDeviceScheduleAuto). So do its streams.
TEST_F(StreamAttributes, AreAtFirstAsDocumented) {
  static_assert(cudaSyncPolicyAuto == 1);
  for (const cudaStream_t each : {stream, cudaStream_t{}, cudaStreamPerThread}) {
    EXPECT_EQ(told(each, cudaLaunchAttributeSynchronizationPolicy).syncPolicy, cudaSyncPolicyAuto);
    EXPECT_EQ(told(each, cudaLaunchAttributePriority).priority, 0);
    EXPECT_EQ(told(each, cudaLaunchAttributeMemSyncDomain).memSyncDomain,
              cudaLaunchMemSyncDomainDefault);
    const auto domains = told(each, cudaLaunchAttributeMemSyncDomainMap).memSyncDomainMap;
    EXPECT_EQ(int{domains.default_}, 0);
    EXPECT_EQ(int{domains.remote}, 1);
    EXPECT_EQ(told(each, cudaLaunchAttributeAccessPolicyWindow).accessPolicyWindow.num_bytes, 0U);
  }
}

TEST_F(StreamAttributes, AreKeptAndCopied) {
  cudaLaunchAttributeValue value = {};
  value.syncPolicy = cudaSyncPolicyYield;
  ASSERT_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value),
            cudaSuccess);
  value.priority = -100;
  ASSERT_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, &value), cudaSuccess);
  cudaStream_t other = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCopyAttributes(other, stream), cudaSuccess);
  EXPECT_EQ(told(other, cudaLaunchAttributeSynchronizationPolicy).syncPolicy, cudaSyncPolicyYield);
  EXPECT_EQ(told(other, cudaLaunchAttributePriority).priority, -5); // the greatest that there is
  unsigned flags = 0;
  ASSERT_EQ(cudaStreamGetFlags(other, &flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
}

TEST_F(StreamAttributes, WhatIsNoneIsRefused) {
  cudaLaunchAttributeValue value = {};
  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value),
            cudaErrorInvalidValue); // policies begin at 1
  value.accessPolicyWindow.hitRatio = 1.5F;
  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value),
            cudaErrorInvalidValue);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &value),
            cudaErrorInvalidResourceHandle);
}

} // namespace
} // namespace heddle::cudart
