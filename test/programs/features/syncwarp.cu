// SPDX-License-Identifier: Apache-2.0
// __syncwarp orders shared memory between the lanes of a warp, also of part of a warp and inside a
// branch.
#include "../check.h"

__global__ void run(int* out) {
  __shared__ int slots[128];
  const int t = threadIdx.x, lane = t % 32, first = t - lane;
  slots[t] = t;
  __syncwarp();
  int value = slots[first + 31 - lane];
  __syncwarp();
  for (int offset = 16; offset > 0; offset /= 2) { // a tree in shared memory, no block barrier
    if (lane < offset)
      slots[t] += slots[t + offset];
    __syncwarp();
  }
  value += slots[first];
  __syncwarp();
  if (lane < 16) {
    slots[t] = value * 2;
    __syncwarp(0x0000ffffu);
    value = slots[first + (lane + 1) % 16];
  } else {
    slots[t] = value * 3;
    __syncwarp(0xffff0000u);
    value = slots[first + 16 + (lane + 3) % 16];
  }
  out[t] = value;
}

int main() {
  DeviceArray<int> out(128);
  run<<<1, 128>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) {
    const int first = int(i) / 32 * 32, lane = int(i) % 32;
    const int source = lane < 16 ? (lane + 1) % 16 : 16 + (lane + 3) % 16;
    const int value = first + 31 - source + (32 * first + 31 * 16);
    return value * (lane < 16 ? 2 : 3);
  });
  return finish();
}
