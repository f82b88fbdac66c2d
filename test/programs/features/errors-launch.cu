// SPDX-License-Identifier: Apache-2.0
// Launches that cannot be: each gives its error, does not run, and leaves the device usable.
// DIFFERS: CUDA 13 has other codes for a bad configuration and for what is no kernel; these are CUDA 12's.
#include "../check.h"

__global__ void touch(int* out) {
  extern __shared__ int room[];
  room[threadIdx.x] = 1;
  *out = 1;
}

void expectRefused(const char* what, dim3 grid, dim3 block, size_t shared, cudaError_t want) {
  DeviceArray<int> out(std::vector<int>(1, 0));
  touch<<<grid, block, shared>>>(out);
  expectEqual(std::string(what) + ": the error", cudaGetLastError(), want);
  expectEqual(std::string(what) + ": the device", cudaDeviceSynchronize(), cudaSuccess);
  expectEqual(std::string(what) + ": what the kernel wrote", out.read()[0], 0);
}

int main() {
  const size_t some = 4096;
  expectRefused("no threads", 1, 0, some, cudaErrorInvalidConfiguration);
  expectRefused("2000 threads", 1, 2000, some, cudaErrorInvalidConfiguration);
  expectRefused("64 x 64 threads", 1, dim3(64, 64), some, cudaErrorInvalidConfiguration);
  expectRefused("65 threads deep", 1, dim3(1, 1, 65), some, cudaErrorInvalidConfiguration);
  expectRefused("no blocks", 0, 32, some, cudaErrorInvalidConfiguration);
  expectRefused("no blocks in y", dim3(1, 0), 32, some, cudaErrorInvalidConfiguration);
  expectRefused("70000 blocks in y", dim3(1, 70000), 32, some, cudaErrorInvalidConfiguration);
  expectRefused("shared memory without asking", 1, 32, 64 * 1024, cudaErrorInvalidValue);
  expectRefused("a megabyte of shared memory", 1, 32, 1 << 20, cudaErrorInvalidValue);
  expectEqual("asking for too much",
              cudaFuncSetAttribute(touch, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20),
              cudaErrorInvalidValue);
  expectEqual("that was the last error", cudaGetLastError(), cudaErrorInvalidValue);

  DeviceArray<int> out(std::vector<int>(1, 0));
  touch<<<1, 1024, some>>>(out);
  CHECK_LAUNCH();
  expectEqual("a good launch afterwards", out.read()[0], 1);
  return finish();
}
