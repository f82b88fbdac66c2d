// SPDX-License-Identifier: Apache-2.0
// A kernel that writes through a null pointer: the launch is fine, the next synchronisation is not,
// nor any call after it.
// FLAGS: --keep-going
// STOPS: a null pointer
#include "../check.h"

__global__ void writeTo(int* pointer) {
  *pointer = 1; // HERE
}

int main() {
  int *good = nullptr, *later = nullptr;
  CHECK_CUDA(cudaMalloc(&good, sizeof(int)));
  writeTo<<<1, 1>>>(good);
  CHECK_LAUNCH();
  writeTo<<<1, 1>>>(nullptr);
  const cudaError_t atLaunch = cudaGetLastError(); // usually too early to know
  expectTrue("the launch", atLaunch == cudaSuccess || atLaunch == cudaErrorIllegalAddress);
  expectEqual("synchronisation", cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  expectEqual("last error", cudaGetLastError(), cudaErrorIllegalAddress);
  expectEqual("an allocation afterwards", cudaMalloc(&later, 4), cudaErrorIllegalAddress);
  expectEqual("synchronisation again", cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  int host = 0;
  expectEqual("a copy afterwards", cudaMemcpy(&host, good, 4, cudaMemcpyDeviceToHost),
              cudaErrorIllegalAddress);
  return finish();
}
