// SPDX-License-Identifier: Apache-2.0
// __syncthreads_count, _and and _or: the result over the whole block, in a loop that ends by one,
// and as barriers.
#include <algorithm>

#include "../check.h"

__global__ void votes(int* out) {
  const int t = threadIdx.x, b = blockIdx.x;
  int* mine = out + (b * blockDim.x + t) * 4;
  mine[0] = __syncthreads_count(t % 3 == b % 3 ? 17 : 0); // any non-zero value counts as one
  mine[1] = __syncthreads_and(t < 150 - b);
  mine[2] = __syncthreads_or(t == 140 + b);
  __shared__ int slots[150];
  slots[t] = t;
  const int none = __syncthreads_or(0);
  mine[3] = none + slots[149 - t];
}

// Smoothing until nothing changes.
__global__ void relax(int* values, int* rounds) {
  __shared__ int line[128];
  const int t = threadIdx.x;
  line[t] = values[t];
  int turns = 0, changed;
  do {
    __syncthreads();
    const int left = t > 0 ? line[t - 1] : line[t];
    __syncthreads();
    changed = left > line[t];
    if (changed)
      line[t] = left;
    ++turns;
  } while (__syncthreads_or(changed));
  values[t] = line[t];
  rounds[t] = turns;
}

int main() {
  const int n = 150;
  DeviceArray<int> out(3 * n * 4);
  votes<<<3, n>>>(out);
  std::vector<int> start(128);
  for (int i = 0; i < 128; ++i)
    start[i] = (i * 53) % 128;
  DeviceArray<int> values(start), rounds(128);
  relax<<<1, 128>>>(values, rounds);
  CHECK_LAUNCH();
  expectArray("votes", out.read(), [](size_t i) {
    const int b = int(i) / (4 * n), t = int(i) / 4 % n;
    const int want[4] = {50, b == 0, 140 + b < n, 149 - t};
    return want[i % 4];
  });
  int largest = 0;
  std::vector<int> want(128);
  for (int i = 0; i < 128; ++i)
    want[i] = largest = std::max(largest, start[i]);
  expectArray("values", values.read(), [&](size_t i) { return want[i]; });
  const int turns = rounds.read()[0];
  expectTrue("a sensible number of turns", turns > 1 && turns <= 128);
  expectArray("rounds", rounds.read(), [=](size_t) { return turns; });
  return finish();
}
