// SPDX-License-Identifier: Apache-2.0
// COVERS: cudaMemRangeGetAttribute, cudaMemAdvise, cudaMemPrefetchAsync
// Hints about managed memory are told again: for the whole range, or not at all.
#include <cstdio>

#include <cuda_runtime.h>

static bool fine = true;
static void expect(bool good, int line) {
  if (!good)
    printf("line %d is wrong\n", line);
  fine &= good;
}
#define EXPECT(condition) expect((condition), __LINE__)

static int ask(cudaMemRangeAttribute attribute, const void* pointer, size_t size) {
  int value = 99;
  EXPECT(cudaMemRangeGetAttribute(&value, sizeof value, attribute, pointer, size) == cudaSuccess);
  return value;
}

int main() {
  const size_t size = 4 << 20, half = size / 2;
  char* data;
  EXPECT(cudaMallocManaged(&data, size) == cudaSuccess);
  EXPECT(ask(cudaMemRangeAttributeReadMostly, data, size) == 0);
  EXPECT(ask(cudaMemRangeAttributePreferredLocation, data, size) == cudaInvalidDeviceId);
  EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, data, size) == cudaInvalidDeviceId);

  cudaMemLocation device = {}, host = {}; // as CUDA 13 names places
  device.type = cudaMemLocationTypeDevice;
  host.type = cudaMemLocationTypeHost;
  EXPECT(cudaMemAdvise(data, size, cudaMemAdviseSetReadMostly, device) == cudaSuccess);
  EXPECT(cudaMemAdvise(data, half, cudaMemAdviseSetPreferredLocation, host) == cudaSuccess);
  EXPECT(cudaMemPrefetchAsync(data, size, device, 0) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(ask(cudaMemRangeAttributeReadMostly, data, size) == 1);
  EXPECT(ask(cudaMemRangeAttributePreferredLocation, data, half) == cudaCpuDeviceId);
  EXPECT(ask(cudaMemRangeAttributePreferredLocation, data, size) == cudaInvalidDeviceId);
  EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, data + half, half) == 0);

  int readMostly = 9, accessors[3] = {9, 9, 9};
  void* answers[2] = {&readMostly, accessors};
  size_t sizes[2] = {sizeof readMostly, sizeof accessors};
  cudaMemRangeAttribute which[2] = {cudaMemRangeAttributeReadMostly,
                                    cudaMemRangeAttributeAccessedBy};
  EXPECT(cudaMemRangeGetAttributes(answers, sizes, which, 2, data, size) == cudaSuccess);
  EXPECT(readMostly == 1 && accessors[0] == cudaInvalidDeviceId);
  EXPECT(cudaMemRangeGetAttribute(&readMostly, 1, which[0], data, size) == cudaErrorInvalidValue);
  EXPECT(cudaFree(data) == cudaSuccess);
  cudaGetLastError();
  puts(fine ? "PASS" : "FAIL");
  return !fine;
}
