// SPDX-License-Identifier: Apache-2.0
// COVERS: stream attributes, cudaDeviceGetP2PAttribute, cudaGetDriverEntryPoint
// Attributes of streams as a GPU keeps them, and what a machine with one device answers about two.
#include <cstdio>

#include <cuda_runtime.h>

static bool fine = true;
static void expect(bool good, int line) {
  if (!good)
    printf("line %d is wrong\n", line);
  fine &= good;
}
#define EXPECT(condition) expect((condition), __LINE__)

static void window(cudaStream_t stream) {
  void* data;
  EXPECT(cudaMalloc(&data, 4096) == cudaSuccess);
  cudaStreamAttrValue value = {}, back = {};
  value.accessPolicyWindow.base_ptr = data;
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitRatio = 0.6f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  EXPECT(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) ==
         cudaSuccess);
  EXPECT(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &back) ==
         cudaSuccess);
  EXPECT(back.accessPolicyWindow.base_ptr == data && back.accessPolicyWindow.num_bytes == 4096 &&
         back.accessPolicyWindow.hitRatio == 0.6f &&
         back.accessPolicyWindow.missProp == cudaAccessPropertyStreaming);
  value.accessPolicyWindow.hitRatio = 1.5f;
  EXPECT(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) ==
         cudaErrorInvalidValue);
  value.accessPolicyWindow.hitRatio = 1.0f;
  value.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  EXPECT(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) ==
         cudaErrorInvalidValue);
  EXPECT(cudaCtxResetPersistingL2Cache() == cudaSuccess);
  EXPECT(cudaFree(data) == cudaSuccess);
}

int main() {
  cudaStream_t one, two;
  EXPECT(cudaStreamCreate(&one) == cudaSuccess);
  EXPECT(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking) == cudaSuccess);
  window(one);
  cudaStreamAttrValue value = {}, back = {};
  EXPECT(cudaStreamGetAttribute(two, cudaStreamAttributeSynchronizationPolicy, &back) ==
         cudaSuccess); // an H200 names another default than Heddle
  value.syncPolicy = cudaSyncPolicySpin;
  EXPECT(cudaStreamSetAttribute(one, cudaStreamAttributeSynchronizationPolicy, &value) ==
         cudaSuccess);
  EXPECT(cudaStreamCopyAttributes(two, one) == cudaSuccess);
  EXPECT(cudaStreamGetAttribute(two, cudaStreamAttributeSynchronizationPolicy, &back) ==
             cudaSuccess &&
         back.syncPolicy == cudaSyncPolicySpin);
  unsigned flags = 9;
  EXPECT(cudaStreamGetFlags(two, &flags) == cudaSuccess && flags == cudaStreamNonBlocking);

  int attribute = 7;
  EXPECT(cudaDeviceGetP2PAttribute(&attribute, cudaDevP2PAttrAccessSupported, 0, 0) ==
         cudaErrorInvalidDevice);
  void* function = &attribute;
  cudaDriverEntryPointQueryResult status;
  EXPECT(cudaGetDriverEntryPoint("cuNoSuchFunction", &function, 0, &status) == cudaSuccess &&
         status == cudaDriverEntryPointSymbolNotFound && function == nullptr);
  cudaGetLastError();
  EXPECT(cudaStreamDestroy(one) == cudaSuccess && cudaStreamDestroy(two) == cudaSuccess);
  puts(fine ? "PASS" : "FAIL");
  return !fine;
}
