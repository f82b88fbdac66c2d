// SPDX-License-Identifier: Apache-2.0
// cudaFuncGetAttributes: static shared memory, local memory, launch bounds, what
// cudaFuncSetAttribute changed.
#include "../check.h"

__global__ void plain(int* out) {
  *out = 1;
}
__global__ void withShared(int* out) {
  __shared__ int slots[100];
  slots[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = slots[blockDim.x - 1 - threadIdx.x];
}
__global__ void __launch_bounds__(128) bounded(int* out) {
  *out = 2;
}
__global__ void dynamic(int* out) {
  extern __shared__ int room[];
  room[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x] + 1;
}

int main() {
  cudaFuncAttributes a;
  CHECK_CUDA(cudaFuncGetAttributes(&a, plain));
  expectEqual("shared memory of plain", a.sharedSizeBytes, size_t(0));
  expectTrue("threads of plain", a.maxThreadsPerBlock >= 512 && a.maxThreadsPerBlock <= 1024);
  expectTrue("registers", a.numRegs > 0 && a.numRegs <= 255);
  expectTrue("versions", a.ptxVersion >= 10 && a.binaryVersion >= 10);
  CHECK_CUDA(cudaFuncGetAttributes(&a, withShared));
  expectEqual("shared memory of withShared", a.sharedSizeBytes, size_t(400));
  CHECK_CUDA(cudaFuncGetAttributes(&a, bounded));
  expectEqual("threads of bounded", a.maxThreadsPerBlock, 128);
  CHECK_CUDA(cudaFuncGetAttributes(&a, (const void*)dynamic));
  expectEqual("static shared memory of dynamic", a.sharedSizeBytes, size_t(0));
  const int before = a.maxDynamicSharedSizeBytes;
  CHECK_CUDA(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  CHECK_CUDA(cudaFuncSetCacheConfig(dynamic, cudaFuncCachePreferShared));
  CHECK_CUDA(cudaFuncGetAttributes(&a, dynamic));
  expectEqual("dynamic shared memory asked for", a.maxDynamicSharedSizeBytes, 65536);
  expectTrue("it was less before", before < 65536);
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i)
    values[i] = i;
  DeviceArray<int> device(values);
  dynamic<<<1, 64, 60000>>>(device);
  CHECK_LAUNCH();
  expectArray("out", device.read(), [](size_t i) { return 64 - int(i); });
  return finish();
}
