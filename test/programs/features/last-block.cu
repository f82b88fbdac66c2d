// SPDX-License-Identifier: Apache-2.0
// A sum in one launch: each block leaves its part, and the last to arrive, told by a counter after
// a fence, adds them up.
#include "../check.h"

__device__ unsigned arrived;

__global__ void sum(const int* in, int n, int* parts, int* result) {
  __shared__ int slots[128];
  __shared__ bool last;
  const int t = threadIdx.x;
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    mine += in[i];
  slots[t] = mine;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      slots[t] += slots[t + half];
  }
  if (t == 0) {
    parts[blockIdx.x] = slots[0];
    __threadfence();
    last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1; // back to 0 for the next launch
  }
  __syncthreads();
  if (last) {
    __threadfence();
    int all = 0;
    for (int b = t; b < int(gridDim.x); b += blockDim.x)
      all += ((volatile int*)parts)[b];
    slots[t] = all;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
      __syncthreads();
      if (t < half)
        slots[t] += slots[t + half];
    }
    if (t == 0)
      *result = slots[0];
  }
}

int main() {
  const int n = 20000, blocks = 37;
  std::vector<int> in(n);
  int want = 0;
  for (int i = 0; i < n; ++i)
    want += in[i] = (i * 31) % 100 - 20;
  DeviceArray<int> device(in), parts(blocks), result(1);
  for (int round = 0; round < 3; ++round) {
    CHECK_CUDA(cudaMemset(result, 0xff, sizeof(int)));
    sum<<<blocks, 128>>>(device, n, parts, result);
    CHECK_LAUNCH();
    expectEqual("sum", result.read()[0], want);
  }
  return finish();
}
