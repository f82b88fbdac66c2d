// SPDX-License-Identifier: Apache-2.0
// __match_any_sync and __match_all_sync on 32- and 64-bit values, full warp and half of one.
#include "../check.h"

__global__ void run(unsigned* out, const int* keys) {
  const unsigned all = 0xffffffffu;
  const int lane = threadIdx.x;
  unsigned* mine = out + lane * 8;
  int same = -1;
  mine[0] = __match_any_sync(all, keys[lane]);
  mine[1] = __match_any_sync(all, (unsigned long long)(keys[lane]) << 35);
  mine[2] = __match_any_sync(all, lane < 9 ? 0.5f : 2.0f);
  mine[3] = __match_all_sync(all, keys[lane], &same);
  mine[4] = unsigned(same);
  mine[5] = __match_all_sync(all, 1.25, &same);
  mine[6] = unsigned(same);
  mine[7] = 0;
  if (lane >= 16)
    mine[7] = __match_any_sync(0xffff0000u, keys[lane] % 2);
}

int main() {
  std::vector<int> keys(32);
  for (int i = 0; i < 32; ++i)
    keys[i] = (i * i) % 5 - 2;
  DeviceArray<int> device(keys);
  DeviceArray<unsigned> out(32 * 8);
  run<<<1, 32>>>(out, device);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [&](size_t i) {
    const int lane = int(i) / 8;
    unsigned peers = 0, parity = 0;
    for (int k = 0; k < 32; ++k) {
      peers |= keys[k] == keys[lane] ? 1u << k : 0;
      parity |= k >= 16 && keys[k] % 2 == keys[lane] % 2 ? 1u << k : 0;
    }
    const unsigned want[8] = {peers, peers, lane < 9 ? 0x1ffu : ~0x1ffu, 0u, 0u,
                              ~0u,   1u,    lane < 16 ? 0u : parity};
    return want[i % 8];
  });
  return finish();
}
