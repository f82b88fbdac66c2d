// SPDX-License-Identifier: Apache-2.0
// Trap 1: the leader's result is undefined in the other lanes until the shuffle. A compiler that
// takes the shuffle's argument as defined drops the if, and every lane runs the atomic.
#include "../check.h"

__global__ void claim(int* counter, int* places) {
  const int lane = threadIdx.x % 32;
  int x;
  if (lane == 0)
    x = atomicAdd(counter, 32);
  x = __shfl_sync(0xffffffffu, x, 0);
  places[blockIdx.x * blockDim.x + threadIdx.x] = x + lane;
}

int main() {
  const int n = 1024;
  DeviceArray<int> counter(std::vector<int>(1, 0)), places(n);
  claim<<<n / 128, 128>>>(counter, places);
  CHECK_LAUNCH();
  expectEqual("counter", counter.read()[0], n);
  std::vector<int> taken(n, 0);
  for (int place : places.read())
    if (place >= 0 && place < n)
      ++taken[place];
  expectArray("threads at a place", taken, [](size_t) { return 1; });
  return finish();
}
