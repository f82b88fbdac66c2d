// SPDX-License-Identifier: Apache-2.0
// Runtime calls with wrong arguments: each returns its error code and changes nothing.
// DIFFERS: CUDA 13 has other codes for a bad configuration and for what is no kernel; these are CUDA 12's.
#include "../check.h"

__device__ int symbol[4];
int notASymbol[4];

void notAKernel() {}

int main() {
  int host[64] = {}, value = 0, *device = nullptr;
  void* pointer = nullptr;
  cudaDeviceProp properties;
  CHECK_CUDA(cudaMalloc(&device, sizeof host));
  expectEqual("bad direction", cudaMemcpy(device, host, 4, (cudaMemcpyKind)-1),
              cudaErrorInvalidMemcpyDirection);
  expectEqual("bad direction 7", cudaMemcpy(device, host, 4, (cudaMemcpyKind)7),
              cudaErrorInvalidMemcpyDirection);
  expectEqual("copy to null", cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
  expectEqual("free of a bogus pointer", cudaFree(reinterpret_cast<void*>(0x1234)),
              cudaErrorInvalidValue);
  expectEqual("free of host memory", cudaFree(host), cudaErrorInvalidValue);
  expectEqual("free of the middle", cudaFree(device + 8), cudaErrorInvalidValue);
  expectEqual("freeing the host's own memory", cudaFreeHost(host), cudaErrorInvalidValue);
  expectEqual("allocation into nothing", cudaMalloc((void**)nullptr, 16), cudaErrorInvalidValue);
  expectEqual("allocation of too much", cudaMalloc(&pointer, size_t(1) << 50),
              cudaErrorMemoryAllocation);
  expectEqual("device 99", cudaSetDevice(99), cudaErrorInvalidDevice);
  expectEqual("device -1", cudaSetDevice(-1), cudaErrorInvalidDevice);
  expectEqual("properties of device 99", cudaGetDeviceProperties(&properties, 99),
              cudaErrorInvalidDevice);
  expectEqual("attribute of device 99", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99),
              cudaErrorInvalidDevice);
  expectEqual("not a symbol", cudaMemcpyToSymbol(notASymbol, host, 16), cudaErrorInvalidSymbol);
  expectEqual("beyond a symbol", cudaMemcpyToSymbol(symbol, host, 32), cudaErrorInvalidValue);
  expectEqual("not a kernel",
              cudaLaunchKernel((const void*)notAKernel, dim3(1), dim3(1), nullptr, 0, 0),
              cudaErrorInvalidDeviceFunction);
  expectEqual("row wider than its pitch",
              cudaMemcpy2D(device, 8, host, 16, 16, 2, cudaMemcpyHostToDevice),
              cudaErrorInvalidPitchValue);
  expectEqual("never registered", cudaHostUnregister(host), cudaErrorHostMemoryNotRegistered);
  CHECK_CUDA(cudaHostRegister(host, sizeof host, cudaHostRegisterDefault));
  expectEqual("registered twice", cudaHostRegister(host, sizeof host, cudaHostRegisterDefault),
              cudaErrorHostMemoryAlreadyRegistered);
  CHECK_CUDA(cudaHostUnregister(host));

  CHECK_CUDA(cudaMalloc(&pointer, 0));
  expectTrue("an allocation of nothing is null", pointer == nullptr);
  CHECK_CUDA(cudaFree(device));
  expectEqual("freed twice", cudaFree(device), cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK_CUDA(cudaDeviceSynchronize());
  return finish();
}
