// SPDX-License-Identifier: Apache-2.0
// Trap 9: helpers of vendor samples look at the toolkit's include guards to see what is known.
#include <cuda_runtime.h>

#if !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__)
#error "cuda_runtime.h has been included, but its guards are not set"
#endif
#if !defined(__VECTOR_TYPES_H__)
#error "cuda_runtime.h brings the vector types, but their guard is not set"
#endif

#include "../check.h"

#ifdef __DRIVER_TYPES_H__
static const char* nameOf(cudaError_t error) {
  return cudaGetErrorName(error);
}
#endif

template <class T> void checkResult(T result, const char* call, int line) {
  if (result) {
    printf("FAIL: line %d: %s gives %s\n", line, call, nameOf(result));
    exit(1);
  }
}
#define checkErrors(call) checkResult((call), #call, __LINE__)

__global__ void store(int* out) {
  *out = 3;
}

int main() {
  int *device = nullptr, host = 0;
  checkErrors(cudaMalloc(&device, sizeof(int)));
  store<<<1, 1>>>(device);
  checkErrors(cudaGetLastError());
  checkErrors(cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost));
  checkErrors(cudaFree(device));
  expectEqual("stored", host, 3);
  expectEqual("name", std::string(nameOf(cudaErrorInvalidValue)) == "cudaErrorInvalidValue", true);
  return finish();
}
