// SPDX-License-Identifier: Apache-2.0
// COVERS: memory pools: counts
// What a pool has given out and holds, and its high-water marks.
#include <cstdint>
#include <cstdio>

#include <cuda_runtime.h>

static bool fine = true;
static void expect(bool good, int line) {
  if (!good)
    printf("line %d is wrong\n", line);
  fine &= good;
}
#define EXPECT(condition) expect((condition), __LINE__)

static uint64_t ask(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  uint64_t value = 99;
  EXPECT(cudaMemPoolGetAttribute(pool, attribute, &value) == cudaSuccess);
  return value;
}

int main() {
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t own, preset, current;
  EXPECT(cudaMemPoolCreate(&own, &props) == cudaSuccess);
  uint64_t threshold = UINT64_MAX, zero = 0;
  EXPECT(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess);
  int reuse = 0;
  EXPECT(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &reuse) == cudaSuccess &&
         reuse == 1);
  EXPECT(ask(own, cudaMemPoolAttrUsedMemCurrent) == 0);

  void *one, *two;
  EXPECT(cudaMallocFromPoolAsync(&one, 1 << 20, own, 0) == cudaSuccess);
  EXPECT(cudaDeviceSetMemPool(0, own) == cudaSuccess);
  EXPECT(cudaDeviceGetMemPool(&current, 0) == cudaSuccess && current == own);
  EXPECT(cudaDeviceGetDefaultMemPool(&preset, 0) == cudaSuccess && preset != own);
  EXPECT(cudaMallocAsync(&two, 1 << 20, 0) == cudaSuccess);
  EXPECT(ask(own, cudaMemPoolAttrUsedMemCurrent) == 2 << 20);
  EXPECT(ask(own, cudaMemPoolAttrReservedMemCurrent) >= 2 << 20);
  EXPECT(ask(preset, cudaMemPoolAttrUsedMemCurrent) == 0);
  EXPECT(cudaFreeAsync(one, 0) == cudaSuccess && cudaFreeAsync(two, 0) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(0) == cudaSuccess);
  EXPECT(ask(own, cudaMemPoolAttrUsedMemCurrent) == 0);
  EXPECT(ask(own, cudaMemPoolAttrUsedMemHigh) == 2 << 20);
  EXPECT(ask(own, cudaMemPoolAttrReservedMemCurrent) >= 2 << 20); // the threshold keeps it
  EXPECT(cudaMemPoolTrimTo(own, 0) == cudaSuccess);
  EXPECT(ask(own, cudaMemPoolAttrReservedMemCurrent) == 0);
  EXPECT(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &zero) == cudaSuccess);
  EXPECT(ask(own, cudaMemPoolAttrUsedMemHigh) == 0);
  EXPECT(cudaDeviceSetMemPool(0, preset) == cudaSuccess);
  EXPECT(cudaMemPoolDestroy(own) == cudaSuccess);
  puts(fine ? "PASS" : "FAIL");
  return !fine;
}
