// SPDX-License-Identifier: Apache-2.0
// __reduce_add, _min, _max, _and, _or and _xor_sync, signed and unsigned, over a warp and over the
// lanes of a branch.
#include <algorithm>

#include "../check.h"

__global__ void run(int* out, const int* values) {
  const unsigned all = 0xffffffffu;
  const int lane = threadIdx.x, v = values[lane];
  const unsigned u = unsigned(v);
  int* mine = out + lane * 10;
  mine[0] = __reduce_add_sync(all, v);
  mine[1] = __reduce_min_sync(all, v);
  mine[2] = __reduce_max_sync(all, v);
  mine[3] = int(__reduce_add_sync(all, u));
  mine[4] = int(__reduce_min_sync(all, u));
  mine[5] = int(__reduce_max_sync(all, u));
  mine[6] = int(__reduce_and_sync(all, u | 0xf0u));
  mine[7] = int(__reduce_or_sync(all, u & 0xff00u));
  mine[8] = int(__reduce_xor_sync(all, u));
  const unsigned low = 0x000003ffu;
  mine[9] = lane < 10 ? __reduce_add_sync(low, v) : __reduce_max_sync(~low, v);
}

int main() {
  std::vector<int> values(32);
  for (int i = 0; i < 32; ++i)
    values[i] = (i * 7919 + 13) % 1000 - 500;
  DeviceArray<int> device(values), out(320);
  run<<<1, 32>>>(out, device);
  CHECK_LAUNCH();
  int sum = 0, least = values[0], most = values[0], low = 0, high = -100000;
  unsigned uleast = ~0u, umost = 0, bitsAnd = ~0u, bitsOr = 0, bitsXor = 0;
  for (int i = 0; i < 32; ++i) {
    const int v = values[i];
    const unsigned u = unsigned(v);
    sum += v;
    least = std::min(least, v), most = std::max(most, v);
    uleast = std::min(uleast, u), umost = std::max(umost, u);
    bitsAnd &= u | 0xf0u, bitsOr |= u & 0xff00u, bitsXor ^= u;
    if (i < 10)
      low += v;
    else
      high = std::max(high, v);
  }
  expectArray("out", out.read(), [&](size_t i) {
    const int want[10] = {
        sum,        least,        most,        sum,          int(uleast),
        int(umost), int(bitsAnd), int(bitsOr), int(bitsXor), int(i) / 10 < 10 ? low : high};
    return want[i % 10];
  });
  return finish();
}
