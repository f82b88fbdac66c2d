// SPDX-License-Identifier: Apache-2.0
// A value of the turn before, used behind its loop: alike in all lanes, while the loop's condition
// is not known to be.
#include "../check.h"

__global__ void run(int* out, int rounds) {
  int value = 1, before = 0, done = 0;
  do {
    before = value;
    value = value * 3 + 1;
    __syncthreads();
    done += __shfl_xor_sync(~0u, 1, 3);
  } while (done < rounds);
  out[blockIdx.x * blockDim.x + threadIdx.x] = before * 1000 + value;
}

int main() {
  DeviceArray<int> out(128);
  run<<<2, 64>>>(out, 2);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t) { return 4 * 1000 + 13; });
  return finish();
}
