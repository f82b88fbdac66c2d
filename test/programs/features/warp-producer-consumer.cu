// SPDX-License-Identifier: Apache-2.0
// Lanes of one warp that wait for each other: even lanes spin until odd lanes have written, and a
// token goes round the warp. Legal from Volta on; a machine with one stack per warp hangs.
#include "../check.h"

__global__ void pairs(int* out) {
  __shared__ volatile int data[32], ready[32];
  const int lane = threadIdx.x;
  ready[lane] = 0;
  __syncthreads();
  if (lane % 2 == 0) {
    while (ready[lane] == 0)
      ;
    __threadfence_block();
    out[lane] = data[lane];
  } else {
    data[lane - 1] = lane * 100;
    __threadfence_block();
    ready[lane - 1] = 1;
    out[lane] = -lane;
  }
}

__global__ void ring(int* visits, int rounds) {
  __shared__ volatile int token;
  const int lane = threadIdx.x;
  if (lane == 0)
    token = 0;
  __syncthreads();
  int count = 0;
  for (int turn = lane; turn < rounds * 32; turn += 32) {
    while (token != turn)
      ;
    ++count;
    __threadfence_block();
    token = turn + 1;
  }
  visits[lane] = count;
}

int main() {
  DeviceArray<int> out(32), visits(32);
  pairs<<<1, 32>>>(out);
  ring<<<1, 32>>>(visits, 3);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return i % 2 ? -int(i) : int(i + 1) * 100; });
  expectArray("visits", visits.read(), [](size_t) { return 3; });
  return finish();
}
