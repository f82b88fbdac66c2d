// SPDX-License-Identifier: Apache-2.0
// The old reduction that ends in a warp with volatile shared memory and no barrier: right only if
// lanes run in lockstep.
#include "../check.h"

template <int Threads> __global__ void sum(const int* in, int* out) {
  __shared__ int slots[Threads];
  const int t = threadIdx.x;
  slots[t] = in[blockIdx.x * Threads + t];
  __syncthreads();
  for (int half = Threads / 2; half > 32; half >>= 1) {
    if (t < half)
      slots[t] += slots[t + half];
    __syncthreads();
  }
  if (t < 32) {
    volatile int* v = slots;
    v[t] += v[t + 32];
    v[t] += v[t + 16];
    v[t] += v[t + 8];
    v[t] += v[t + 4];
    v[t] += v[t + 2];
    v[t] += v[t + 1];
  }
  if (t == 0)
    out[blockIdx.x] = slots[0];
}

template <int Threads> void check() {
  const int blocks = 9;
  std::vector<int> in(blocks * Threads);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = int(i * i % 1000);
  DeviceArray<int> device(in), out(blocks);
  sum<Threads><<<blocks, Threads>>>(device, out);
  CHECK_LAUNCH();
  expectArray("sum of a block", out.read(), [&](size_t b) {
    int want = 0;
    for (int t = 0; t < Threads; ++t)
      want += in[b * Threads + t];
    return want;
  });
}

int main() {
  check<64>();
  check<128>();
  check<512>();
  return finish();
}
