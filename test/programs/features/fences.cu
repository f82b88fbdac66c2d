// SPDX-License-Identifier: Apache-2.0
// __threadfence, _block and _system: who sees the flag sees the data written before it, in the
// block and across blocks.
#include "../check.h"

__device__ volatile int flag;
__device__ int payload[64];

__global__ void message(int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    payload[t] = 3 * t + 1;
    __threadfence();
    __syncthreads();
    if (t == 0)
      flag = 1;
  } else {
    if (t == 0) {
      while (flag == 0)
        ;
      __threadfence();
    }
    __syncthreads();
    out[t] = ((volatile int*)payload)[63 - t];
  }
}

__global__ void withinBlock(int* out) {
  __shared__ volatile int data, ready;
  if (threadIdx.x == 0)
    ready = 0;
  __syncthreads();
  if (threadIdx.x == 64) { // another warp
    data = 77;
    __threadfence_block();
    ready = 1;
  }
  if (threadIdx.x == 0) {
    while (!ready)
      ;
    __threadfence_block();
    out[0] = data;
  }
  __threadfence_system();
}

int main() {
  DeviceArray<int> out(64), within(1);
  message<<<2, 64>>>(out);
  withinBlock<<<1, 96>>>(within);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t t) { return 3 * (63 - int(t)) + 1; });
  expectEqual("data", within.read()[0], 77);
  return finish();
}
