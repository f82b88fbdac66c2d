// SPDX-License-Identifier: Apache-2.0
// Trap 2: lanes talk through shared memory with no barrier at all. Threads run one after another
// give other sums, and so does a compiler that moves the volatile accesses.
#include "../check.h"

__global__ void scanWarps(const int* in, int* out) {
  __shared__ volatile int slots[4][64];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  volatile int* mine = &slots[warp][32 + lane];
  slots[warp][lane] = 0; // zeros before the first lane
  *mine = in[t];
  int sum = in[t];
  *mine = sum = sum + mine[-1];
  *mine = sum = sum + mine[-2];
  *mine = sum = sum + mine[-4];
  *mine = sum = sum + mine[-8];
  *mine = sum = sum + mine[-16];
  out[t] = sum;
}

int main() {
  std::vector<int> in(128), want(128);
  for (int i = 0; i < 128; ++i) {
    in[i] = i * 13 % 29 + 1;
    want[i] = in[i] + (i % 32 ? want[i - 1] : 0);
  }
  DeviceArray<int> device(in), out(128);
  scanWarps<<<1, 128>>>(device, out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [&](size_t i) { return want[i]; });
  return finish();
}
