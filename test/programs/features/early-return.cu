// SPDX-License-Identifier: Apache-2.0
// Threads that return at different places, also out of loops; those that stay go on, vote and meet
// at barriers.
#include "../check.h"

__global__ void leaveInLoop(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = -1;
  if (i % 7 == 3)
    return;
  for (int turn = 0; turn < 64; ++turn) {
    out[i] = turn;
    if (turn == i % 50)
      return;
  }
  out[i] = 1000;
}

// A barrier waits only for the threads that have not returned.
__global__ void barrierOfTheRest(int* out) {
  __shared__ int slots[128];
  const int t = threadIdx.x;
  slots[t] = -5;
  __syncthreads();
  if (t >= 96)
    return;
  slots[t] = t;
  __syncthreads();
  out[t] = slots[95 - t] + slots[96 + t % 32];
}

__global__ void voteOfTheRest(unsigned* out) {
  const int lane = threadIdx.x;
  out[lane] = 0;
  if (lane % 3 == 0)
    return;
  out[lane] = __activemask();
}

int main() {
  DeviceArray<int> out(300), rest(96);
  DeviceArray<unsigned> masks(32);
  leaveInLoop<<<3, 100>>>(out);
  barrierOfTheRest<<<1, 128>>>(rest);
  voteOfTheRest<<<1, 32>>>(masks);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return i % 7 == 3 ? -1 : int(i % 50); });
  expectArray("rest", rest.read(), [](size_t i) { return 95 - int(i) - 5; });
  unsigned stay = 0;
  for (int lane = 0; lane < 32; ++lane)
    stay |= lane % 3 ? 1u << lane : 0;
  // Lanes may be apart, so each sees itself and no lane that has left.
  const std::vector<unsigned> seen = masks.read();
  for (int lane = 0; lane < 32; ++lane)
    expectEqual("mask seen by a lane", seen[lane] & (lane % 3 ? 1u << lane | ~stay : ~0u),
                lane % 3 ? 1u << lane : 0);
  return finish();
}
