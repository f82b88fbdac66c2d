// SPDX-License-Identifier: Apache-2.0
// Blocks whose last warp is not full, down to a single thread: results, active masks, votes and
// barriers.
#include <algorithm>

#include "../check.h"

__global__ void run(int* values, unsigned* ballots, int* sums) {
  extern __shared__ int tile[];
  const int t = threadIdx.x, n = blockDim.x;
  const int lanes = min(32, n - t / 32 * 32);
  const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  tile[t] = t * t;
  __syncthreads();
  values[t] = tile[n - 1 - t];
  ballots[t] = __ballot_sync(mask, t % 2 == 0);
  int sum = t;
  for (int offset = 16; offset > 0; offset /= 2) {
    const int other = __shfl_down_sync(mask, sum, offset);
    if (t % 32 + offset < lanes)
      sum += other;
  }
  sums[t] = sum;
}

int main() {
  for (int n : {1, 5, 31, 32, 33, 63, 100, 255, 1000}) {
    DeviceArray<int> values(n), sums(n);
    DeviceArray<unsigned> ballots(n);
    run<<<1, n, n * sizeof(int)>>>(values, ballots, sums);
    CHECK_LAUNCH();
    expectArray("values", values.read(), [=](size_t t) { return int((n - 1 - t) * (n - 1 - t)); });
    expectArray("ballots", ballots.read(), [=](size_t t) {
      const int lanes = std::min(32, n - int(t) / 32 * 32);
      return 0x55555555u & (lanes == 32 ? 0xffffffffu : (1u << lanes) - 1);
    });
    const std::vector<int> got = sums.read();
    for (int first = 0; first < n; first += 32) {
      int want = 0;
      for (int t = first; t < std::min(n, first + 32); ++t)
        want += t;
      expectEqual("sum of a warp", got[first], want);
    }
  }
  return finish();
}
