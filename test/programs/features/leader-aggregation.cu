// SPDX-License-Identifier: Apache-2.0
// One atomic per warp instead of per lane: the leader adds for all, and a shuffle tells every lane
// its place.
#include <algorithm>

#include "../check.h"

__global__ void filter(const int* in, int n, int* out, int* count, int* atomics) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const bool keep = i < n && in[i] % 3 == 0;
  const unsigned mask = __ballot_sync(0xffffffffu, keep);
  if (!mask)
    return; // all lanes agree
  const int leader = __ffs(mask) - 1;
  int base;
  if (lane == leader) {
    base = atomicAdd(count, __popc(mask));
    atomicAdd(atomics, 1);
  }
  base = __shfl_sync(0xffffffffu, base, leader);
  if (keep)
    out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

// The same inside a branch, among the lanes that happen to be there.
__global__ void countInBranch(const int* in, int n, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 5 == 1) {
    const unsigned active = __activemask();
    if (threadIdx.x % 32 == __ffs(active) - 1)
      atomicAdd(count, __popc(active));
  }
}

int main() {
  const int n = 3000;
  std::vector<int> in(n), want;
  int fifths = 0, warps = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 7919) % 5003;
    if (in[i] % 3 == 0)
      want.push_back(in[i]);
    fifths += in[i] % 5 == 1;
  }
  for (int first = 0; first < n; first += 32)
    warps += std::any_of(in.begin() + first, in.begin() + std::min(n, first + 32),
                         [](int x) { return x % 3 == 0; });
  DeviceArray<int> device(in), out(n), counts(std::vector<int>(3, 0));
  filter<<<(n + 127) / 128, 128>>>(device, n, out, counts, counts + 1);
  countInBranch<<<(n + 127) / 128, 128>>>(device, n, counts + 2);
  CHECK_LAUNCH();
  const std::vector<int> got = counts.read();
  expectEqual("kept", got[0], int(want.size()));
  expectEqual("atomics", got[1], warps);
  expectEqual("counted in the branch", got[2], fifths);
  std::vector<int> kept = out.read();
  kept.resize(want.size());
  std::sort(kept.begin(), kept.end());
  std::sort(want.begin(), want.end());
  expectArray("kept values", kept, [&](size_t i) { return want[i]; });
  return finish();
}
