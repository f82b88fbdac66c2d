// SPDX-License-Identifier: Apache-2.0
// Trap 5: the match intrinsics and the questions about address spaces come from a file of the
// toolkit.
#include "../check.h"

__device__ int global = 1;
__constant__ int constant = 2;

__global__ void run(unsigned* out, const long long* keys) {
  __shared__ int shared;
  int local = threadIdx.x;
  int same = 0;
  unsigned* mine = out + threadIdx.x * 4;
  mine[0] = __match_any_sync(0xffffffffu, keys[threadIdx.x]);
  mine[1] = __match_all_sync(0xffffffffu, 5u, &same) + unsigned(same);
  mine[2] = (__isShared(&shared) ? 1 : 0) + (__isGlobal(&global) ? 2 : 0) +
            (__isConstant(&constant) ? 4 : 0) + (__isLocal(&local) ? 8 : 0);
  mine[3] = (__isShared(&global) ? 1 : 0) + (__isGlobal(&shared) ? 2 : 0) +
            (__isLocal(&shared) ? 4 : 0) + (__isGlobal(&local) ? 8 : 0);
}

int main() {
  std::vector<long long> keys(32);
  for (int i = 0; i < 32; ++i)
    keys[i] = (i % 3) * (1ll << 40);
  DeviceArray<long long> device(keys);
  DeviceArray<unsigned> out(32 * 4);
  run<<<1, 32>>>(out, device);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [&](size_t i) {
    unsigned peers = 0;
    for (int k = 0; k < 32; ++k)
      peers |= k % 3 == int(i / 4) % 3 ? 1u << k : 0;
    const unsigned want[4] = {peers, 0u, 15u, 0u}; // all lanes plus one wraps to zero
    return want[i % 4];
  });
  return finish();
}
