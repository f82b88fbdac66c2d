// SPDX-License-Identifier: Apache-2.0
// Parts of a warp call with a mask of their own, which names them and nobody else.
#include "../check.h"

__global__ void parts(int* sums, unsigned* votes, int* own) {
  const int lane = threadIdx.x % 32;
  const unsigned quarter = 0xffu << (lane & 24);
  int sum = lane;
  for (int offset = 4; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(quarter, sum, offset);
  sums[threadIdx.x] = sum;
  votes[threadIdx.x] = __ballot_sync(quarter, lane % 2 == 0);
  own[threadIdx.x] = __shfl_sync(1u << lane, lane, lane);
  if (lane < 12) {
    __syncwarp(0xfffu);
    own[threadIdx.x] += __any_sync(0xfffu, lane == 11);
  }
}

int main() {
  DeviceArray<int> sums(64), own(64);
  DeviceArray<unsigned> votes(64);
  parts<<<1, 64>>>(sums, votes, own);
  CHECK_LAUNCH();
  expectArray("sums", sums.read(), [](size_t i) { return int(i % 32 & 24) * 8 + 28; });
  expectArray("votes", votes.read(), [](size_t i) { return 0x55u << (i % 32 & 24); });
  expectArray("own", own.read(), [](size_t i) { return int(i % 32) + (i % 32 < 12 ? 1 : 0); });
  return finish();
}
