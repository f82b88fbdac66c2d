// SPDX-License-Identifier: Apache-2.0
// __nanosleep in a polite spin: waiting warps sleep for longer and longer until another warp has
// spoken.
#include "../check.h"

__global__ void run(int* out) {
  __shared__ volatile int ready;
  const int t = threadIdx.x;
  if (t == 0)
    ready = 0;
  __syncthreads();
  if (t == 96) {
    __nanosleep(1000);
    ready = 5;
  }
  if (t < 96) {
    unsigned pause = 8;
    while (ready == 0) {
      __nanosleep(pause);
      if (pause < 256)
        pause *= 2;
    }
  }
  __syncthreads();
  out[t] = ready + t;
}

int main() {
  DeviceArray<int> out(128);
  run<<<1, 128>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t t) { return 5 + int(t); });
  return finish();
}
