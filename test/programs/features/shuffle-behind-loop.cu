// SPDX-License-Identifier: Apache-2.0
// Lanes that return from within a loop meet the others behind it, before all of them shuffle.
#include "../check.h"

__host__ __device__ inline int search(int* own, int id, int rounds) {
  int steps = 1;
  for (int i = 0; i < (rounds & 3); ++i) {
    if ((id * 6 & 31) > 3) {
      --steps;
      continue;
    }
    if ((rounds & 2) == 0)
      continue;
    if (steps != 5)
      return 100;
  }
  *own += steps;
  return id;
}

__global__ void run(int* out, int rounds) {
  const int id = int(threadIdx.x);
  const int found = search(out + id, id, rounds);
  out[id] += found + __shfl_xor_sync(~0u, id, 1);
}

int main() {
  std::vector<int> want(32, 0);
  DeviceArray<int> out(want);
  run<<<1, 32>>>(out, 3);
  CHECK_LAUNCH();
  for (int id = 0; id < 32; ++id)
    want[id] += search(&want[id], id, 3) + (id ^ 1);
  expectArray("out", out.read(), [&](size_t i) { return want[i]; });
  return finish();
}
