// SPDX-License-Identifier: Apache-2.0
// __any_sync, __all_sync, __ballot_sync, __uni_sync and __activemask: full warps, part of a warp,
// inside branches.
#include "../check.h"

__global__ void run(unsigned* out) {
  const unsigned all = 0xffffffffu;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned* mine = out + threadIdx.x * 10;
  mine[0] = __any_sync(all, lane == warp * 9);
  mine[1] = __all_sync(all, lane >= warp);
  mine[2] = __ballot_sync(all, lane % (warp + 2) == 0);
  mine[3] = __any_sync(all, 0) + 10 * __all_sync(all, 5);
  mine[4] = __uni_sync(all, warp == 2 ? 0 : lane < 32) + 10 * __uni_sync(all, lane < 3);
  mine[5] = __activemask();
  // The lanes of each side name their own side.
  const unsigned odd = 0xaaaaaaaau;
  if (lane % 2) {
    mine[6] = __ballot_sync(odd, lane > 10);
    mine[7] = __all_sync(odd, lane % 2);
  } else {
    mine[6] = __ballot_sync(~odd, lane > 20);
    mine[7] = __any_sync(~odd, lane == 7);
  }
  mine[8] = 0;
  for (int turn = 0; turn < 4; ++turn)
    mine[8] = mine[8] * 33 + __popc(__ballot_sync(all, lane < turn * 9));
  mine[9] = lane < 5 ? __ballot_sync(0x1f, lane != 2) : 0;
}

int main() {
  DeviceArray<unsigned> out(96 * 10);
  run<<<1, 96>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) {
    const int lane = int(i) / 10 % 32, warp = int(i) / 320;
    unsigned ballot = 0, low = 0, high = 0, turns = 0;
    for (int k = 0; k < 32; ++k) {
      ballot |= k % (warp + 2) == 0 ? 1u << k : 0;
      low |= k % 2 && k > 10 ? 1u << k : 0;
      high |= k % 2 == 0 && k > 20 ? 1u << k : 0;
    }
    for (int turn = 0; turn < 4; ++turn)
      turns = turns * 33 + unsigned(turn * 9);
    const unsigned want[10] = {1u,
                               warp == 0 ? 1u : 0u,
                               ballot,
                               10u,
                               1u,
                               0xffffffffu,
                               lane % 2 ? low : high,
                               lane % 2 ? 1u : 0u,
                               turns,
                               lane < 5 ? 0x1bu : 0u};
    return want[i % 10];
  });
  return finish();
}
