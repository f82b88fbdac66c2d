// SPDX-License-Identifier: Apache-2.0
// Device count, properties and attributes: sane by themselves, and the same in both forms;
// versions; limits.
#include <cstring>

#include "../check.h"

void same(const char* what, cudaDeviceAttr attribute, size_t property) {
  int value = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&value, attribute, 0));
  expectEqual(what, size_t(value), property);
}

__global__ void warp(int* out) {
  *out = warpSize;
}

int main() {
  int count = 0, device = -1, driver = 0, runtime = 0;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  expectTrue("there is a device", count >= 1);
  CHECK_CUDA(cudaSetDevice(0));
  CHECK_CUDA(cudaGetDevice(&device));
  expectEqual("current device", device, 0);
  cudaDeviceProp p;
  CHECK_CUDA(cudaGetDeviceProperties(&p, 0));
  expectTrue("a name", strlen(p.name) > 0 && strlen(p.name) < sizeof p.name);
  expectEqual("warp size", p.warpSize, 32);
  expectTrue("compute capability", p.major >= 1 && p.minor >= 0 && p.minor <= 9);
  expectTrue("multiprocessors", p.multiProcessorCount >= 1 && p.multiProcessorCount < 1000);
  expectTrue("threads",
             p.maxThreadsPerBlock >= 512 && p.maxThreadsPerMultiProcessor >= p.maxThreadsPerBlock);
  expectTrue("dimensions of a block", p.maxThreadsDim[0] >= 512 && p.maxThreadsDim[2] >= 64);
  expectTrue("dimensions of a grid",
             p.maxGridSize[0] >= 65535 && p.maxGridSize[1] >= 65535 && p.maxGridSize[2] >= 1);
  expectTrue("memory", p.totalGlobalMem >= (64u << 20) && p.sharedMemPerBlock >= 16384 &&
                           p.totalConstMem == 65536);
  expectTrue("registers", p.regsPerBlock >= 8192);
  expectTrue("shared memory of a multiprocessor",
             p.sharedMemPerMultiprocessor >= p.sharedMemPerBlock);
  expectTrue("unified addresses", p.unifiedAddressing == 1 && p.canMapHostMemory == 1);
  same("threads per block", cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock);
  same("multiprocessors", cudaDevAttrMultiProcessorCount, p.multiProcessorCount);
  same("shared memory", cudaDevAttrMaxSharedMemoryPerBlock, p.sharedMemPerBlock);
  same("registers", cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock);
  same("major", cudaDevAttrComputeCapabilityMajor, p.major);
  same("minor", cudaDevAttrComputeCapabilityMinor, p.minor);
  same("warp size", cudaDevAttrWarpSize, p.warpSize);
  same("grid x", cudaDevAttrMaxGridDimX, p.maxGridSize[0]);
  same("threads per multiprocessor", cudaDevAttrMaxThreadsPerMultiProcessor,
       p.maxThreadsPerMultiProcessor);
  same("opt-in shared memory", cudaDevAttrMaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin);
  CHECK_CUDA(cudaDriverGetVersion(&driver));
  CHECK_CUDA(cudaRuntimeGetVersion(&runtime));
  expectTrue("the driver is not older than the runtime", runtime >= 9000 && driver >= runtime);
  size_t stack = 0;
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  CHECK_CUDA(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  expectTrue("stack limit", stack >= 4096);
  DeviceArray<int> out(1);
  warp<<<1, 1>>>(out);
  CHECK_LAUNCH();
  expectEqual("warpSize on the device", out.read()[0], p.warpSize);
  return finish();
}
