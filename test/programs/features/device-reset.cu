// SPDX-License-Identifier: Apache-2.0
// cudaDeviceReset: device variables hold their initialisers again, and new memory and launches
// work.
#include "../check.h"

__device__ int counter = 7;

__global__ void count(int* out) {
  out[threadIdx.x] = atomicAdd(&counter, 1);
}

int main() {
  for (int round = 0; round < 2; ++round) {
    int *device = nullptr, host[32] = {}, after = 0;
    CHECK_CUDA(cudaMalloc(&device, sizeof host));
    count<<<1, 32>>>(device);
    CHECK_CUDA(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaMemcpyFromSymbol(&after, counter, sizeof after));
    int sum = 0;
    for (int value : host)
      sum += value;
    expectEqual("sum of tickets", sum, 32 * 7 + 31 * 16);
    expectEqual("counter", after, 39);
    CHECK_CUDA(cudaDeviceReset());
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  return finish();
}
