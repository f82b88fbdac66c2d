// SPDX-License-Identifier: Apache-2.0
// Two lanes read a volatile flag inside a branch, then the whole warp votes, round after round,
// until another block sets the flag.
#include "../check.h"

__global__ void wait(volatile int* flag, int* out) {
  if (blockIdx.x == 1) {
    int sum = 0;
    for (int i = 0; i < 100000; ++i)
      sum += int(clock());
    out[1] = sum;
    __threadfence();
    flag[0] = 1;
    return;
  }
  bool again;
  do {
    again = false;
    if (threadIdx.x < 2)
      again = flag[threadIdx.x * 0] == 0;
  } while (__any_sync(~0u, again));
  out[0] = 1;
}

int main() {
  DeviceArray<int> flag(1), out(2);
  CHECK_CUDA(cudaMemset(flag, 0, sizeof(int)));
  wait<<<2, 32>>>(flag, out);
  CHECK_LAUNCH();
  expectEqual("out", out.read()[0], 1);
  expectEqual("flag", flag.read()[0], 1);
  return finish();
}
