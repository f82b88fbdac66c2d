// SPDX-License-Identifier: Apache-2.0
// Atomics on shared memory: a histogram of a block, minima, tickets, wrap-around counters, float
// and 64-bit sums.
#include <algorithm>

#include "../check.h"

__global__ void run(const unsigned char* in, int* bins, int* results, double* sums) {
  __shared__ int local[64];
  __shared__ int s[6];
  __shared__ unsigned wrap;
  __shared__ unsigned long long wide;
  __shared__ float single;
  __shared__ double twice;
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (int k = t; k < 64; k += blockDim.x)
    local[k] = 0;
  if (t == 0) {
    s[0] = 1000, s[1] = -1000, s[2] = 0, s[3] = -1, s[4] = 0, s[5] = 0;
    wrap = 0, wide = 0, single = 0, twice = 0;
  }
  __syncthreads();
  const int value = in[i];
  atomicAdd(&local[value % 64], 1);
  atomicMin(&s[0], value);
  atomicMax(&s[1], value);
  atomicXor(&s[2], value);
  atomicAnd(&s[3], value | 0x10);
  atomicOr(&s[4], value);
  atomicSub(&s[5], 2);
  atomicInc(&wrap, 99);
  atomicAdd(&wide, 0x80000000ull + value);
  atomicAdd(&single, 0.25f);
  atomicAdd(&twice, 0.5 * value);
  __syncthreads();
  for (int k = t; k < 64; k += blockDim.x)
    atomicAdd(&bins[k], local[k]);
  if (t < 6)
    results[blockIdx.x * 7 + t] = s[t];
  if (t == 6) {
    results[blockIdx.x * 7 + 6] = int(wrap);
    sums[blockIdx.x] = double(wide) + single + twice;
  }
}

int main() {
  const int blocks = 4, threads = 250;
  std::vector<unsigned char> in(blocks * threads);
  std::vector<int> want(64);
  for (size_t i = 0; i < in.size(); ++i)
    ++want[(in[i] = (unsigned char)(i * i * 31 + 7)) % 64];
  DeviceArray<unsigned char> device(in);
  DeviceArray<int> bins(std::vector<int>(64, 0)), results(blocks * 7);
  DeviceArray<double> sums(blocks);
  run<<<blocks, threads>>>(device, bins, results, sums);
  CHECK_LAUNCH();
  expectArray("bins", bins.read(), [&](size_t i) { return want[i]; });
  const std::vector<int> got = results.read();
  for (int b = 0; b < blocks; ++b) {
    int w[7] = {1000, -1000, 0, -1, 0, -2 * threads, threads % 100};
    double sum = 0;
    for (int i = b * threads; i < (b + 1) * threads; ++i) {
      w[0] = std::min<int>(w[0], in[i]), w[1] = std::max<int>(w[1], in[i]);
      w[2] ^= in[i], w[3] &= in[i] | 0x10, w[4] |= in[i];
      sum += 0x80000000u + in[i] + 0.25 + 0.5 * in[i];
    }
    for (int k = 0; k < 7; ++k)
      expectEqual("result " + std::to_string(k), got[b * 7 + k], w[k]);
    expectEqual("sum", sums.read()[b], sum);
  }
  return finish();
}
