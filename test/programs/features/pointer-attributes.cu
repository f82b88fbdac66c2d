// SPDX-License-Identifier: Apache-2.0
// cudaPointerGetAttributes tells device, pinned, managed and plain host memory apart;
// cudaMemGetInfo follows allocations.
#include "../check.h"

cudaPointerAttributes attributesOf(const void* pointer) {
  cudaPointerAttributes attributes;
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, pointer));
  return attributes;
}

int main() {
  size_t freeBefore = 0, freeThen = 0, freeAfter = 0, total = 0;
  int *device = nullptr, *pinned = nullptr, *managed = nullptr, plain = 0;
  CHECK_CUDA(cudaMemGetInfo(&freeBefore, &total));
  expectTrue("some memory is free", freeBefore > 0 && freeBefore <= total);
  const size_t bytes = 64u << 20;
  CHECK_CUDA(cudaMalloc(&device, bytes));
  CHECK_CUDA(cudaMemGetInfo(&freeThen, &total));
  expectTrue("an allocation takes memory", freeThen + bytes <= freeBefore);
  CHECK_CUDA(cudaMallocHost(&pinned, 4096));
  CHECK_CUDA(cudaMallocManaged(&managed, 4096));

  expectEqual("type of device memory", attributesOf(device).type, cudaMemoryTypeDevice);
  expectEqual("type inside the allocation", attributesOf(device + 1000).type, cudaMemoryTypeDevice);
  expectEqual("device", attributesOf(device).device, 0);
  expectTrue("device pointer", attributesOf(device).devicePointer == device);
  expectEqual("type of pinned memory", attributesOf(pinned).type, cudaMemoryTypeHost);
  expectTrue("host pointer", attributesOf(pinned).hostPointer == pinned);
  expectEqual("type of managed memory", attributesOf(managed).type, cudaMemoryTypeManaged);
  expectEqual("type of plain memory", attributesOf(&plain).type, cudaMemoryTypeUnregistered);

  CHECK_CUDA(cudaFree(device));
  CHECK_CUDA(cudaFree(managed));
  CHECK_CUDA(cudaFreeHost(pinned));
  CHECK_CUDA(cudaMemGetInfo(&freeAfter, &total));
  expectTrue("cudaFree gives it back", freeAfter >= freeThen + bytes);
  return finish();
}
