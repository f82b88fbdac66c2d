// What older programs do: headers that are now needless, and helpers that test the toolkit's include guards.
#include "cuda_runtime.h"
#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
#include <cuda.h>
#include <device_functions.h>
#include <math_functions.h>
#include <vector_types.h>

#ifndef __DRIVER_TYPES_H__
#error "sample helpers look for this guard"
#endif
#if CUDA_VERSION < 9000 || !defined(CUDART_VERSION) || !defined(__CUDACC__)
#error "programs test these"
#endif

// CHECK: define {{.*}}@sum
extern "C" __global__ void sum(volatile float* shared, float* out) {
  if (threadIdx.x < 32) // warp-synchronous, without a barrier
    shared[threadIdx.x] += shared[threadIdx.x + 16];
  *out = shared[0];
}

#define CHECK(call) do { if ((call) != cudaSuccess) return 1; } while (0)

int main() {
  int count = 0;
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaGetDeviceProperties(&properties, 0));
  float* data = 0;
  CHECK(cudaMalloc((void**)&data, 4096));
  sum<<<1, 64>>>(data, data);
  CHECK(cudaThreadSynchronize());
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
