// SPDX-License-Identifier: Apache-2.0
// Pinned host memory: cudaMallocHost, mapped memory that a kernel reads and writes, ordinary memory
// registered later.
#include "../check.h"

__global__ void addOne(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + 1;
}

int main() {
  const int n = 256;
  int *pinned = nullptr, *mapped = nullptr, *onDevice = nullptr, *registeredOnDevice = nullptr;
  CHECK_CUDA(cudaMallocHost(&pinned, n * sizeof(int)));
  CHECK_CUDA(cudaHostAlloc(&mapped, n * sizeof(int), cudaHostAllocMapped));
  CHECK_CUDA(cudaHostGetDevicePointer(&onDevice, mapped, 0));
  std::vector<int> registered(n, -1);
  CHECK_CUDA(cudaHostRegister(registered.data(), n * sizeof(int), cudaHostRegisterMapped));
  CHECK_CUDA(cudaHostGetDevicePointer((void**)&registeredOnDevice, registered.data(), 0));

  for (int i = 0; i < n; ++i)
    pinned[i] = i, mapped[i] = 10 * i;
  DeviceArray<int> device(n);
  CHECK_CUDA(cudaMemcpyAsync(device, pinned, n * sizeof(int), cudaMemcpyHostToDevice));
  addOne<<<2, 128>>>(device, device, n);
  CHECK_CUDA(cudaMemcpyAsync(pinned, device, n * sizeof(int), cudaMemcpyDeviceToHost, 0));
  addOne<<<2, 128>>>(onDevice, registeredOnDevice, n);
  addOne<<<2, 128>>>(registeredOnDevice, onDevice, n);
  CHECK_LAUNCH();
  for (int i = 0; i < n; ++i) {
    expectEqual("pinned", pinned[i], i + 1);
    expectEqual("registered", registered[i], 10 * i + 1);
    expectEqual("mapped", mapped[i], 10 * i + 2);
  }
  CHECK_CUDA(cudaHostUnregister(registered.data()));
  CHECK_CUDA(cudaFreeHost(pinned));
  CHECK_CUDA(cudaFreeHost(mapped));
  return finish();
}
