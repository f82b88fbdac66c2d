// SPDX-License-Identifier: Apache-2.0
// cudaMemcpyToSymbol and FromSymbol, whole and with offsets, Async too; addresses and sizes of
// symbols.
#include "../check.h"

__constant__ int limits[8];
__device__ float gains[16] = {1, 2, 3};
__device__ unsigned long long total;

__global__ void run() {
  const int i = threadIdx.x;
  gains[i] += float(limits[i % 8]);
  if (i == 0)
    total = 0x123456789abcdefull;
}
__global__ void scale(float* values) {
  values[threadIdx.x] *= 2.0f;
}

int main() {
  int host[8] = {10, 20, 30, 40, 50, 60, 70, 80};
  const int patch[2] = {-1, -2};
  CHECK_CUDA(cudaMemcpyToSymbol(limits, host, sizeof host));
  CHECK_CUDA(cudaMemcpyToSymbol(limits, patch, sizeof patch, 3 * sizeof(int)));
  host[3] = -1;
  host[4] = -2;
  run<<<1, 16>>>();
  void* address = nullptr;
  size_t size = 0;
  CHECK_CUDA(cudaGetSymbolAddress(&address, gains));
  CHECK_CUDA(cudaGetSymbolSize(&size, gains));
  expectEqual("size of gains", size, 16 * sizeof(float));
  CHECK_CUDA(cudaGetSymbolSize(&size, limits));
  expectEqual("size of limits", size, 8 * sizeof(int));
  scale<<<1, 16>>>(static_cast<float*>(address));
  CHECK_LAUNCH();

  std::vector<float> gainsBack(16);
  CHECK_CUDA(cudaMemcpyFromSymbol(gainsBack.data(), gains, 16 * sizeof(float)));
  expectArray("gains", gainsBack, [&](size_t i) {
    return 2.0f * ((i < 3 ? float(i + 1) : 0.0f) + float(host[i % 8]));
  });
  float last[2] = {};
  CHECK_CUDA(cudaMemcpyFromSymbolAsync(last, gains, sizeof last, 14 * sizeof(float)));
  CHECK_CUDA(cudaDeviceSynchronize());
  expectEqual("last gain", last[1], gainsBack[15]);
  unsigned long long totalBack = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&totalBack, total, sizeof total));
  expectEqual("total", totalBack, 0x123456789abcdefull);
  DeviceArray<int> copy(8);
  CHECK_CUDA(cudaMemcpyFromSymbol(copy, limits, sizeof host, 0, cudaMemcpyDeviceToDevice));
  expectArray("copy", copy.read(), [&](size_t i) { return host[i]; });
  return finish();
}
