// SPDX-License-Identifier: Apache-2.0
// Every 32-bit integer atomic on global memory, by thousands of threads: final values, and values
// returned once each.
#include <algorithm>

#include "../check.h"

__global__ void run(int* s, unsigned* u, int* tickets) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tickets[i] = atomicAdd(&s[0], 1);
  atomicAdd(&s[1], -i);
  atomicSub(&s[2], i % 5);
  atomicMin(&s[3], 50 - i);
  atomicMax(&s[4], (i * 37) % 3001);
  atomicAnd(&s[5], ~(1 << (i % 20)));
  atomicOr(&s[6], 1 << (i % 23));
  atomicXor(&s[7], i);
  atomicExch(&s[8], 7);
  atomicCAS(&s[9], 100, i + 1000); // one thread wins
  atomicAdd(&u[0], 0x80000001u);
  atomicSub(&u[1], 3u);
  atomicMin(&u[2], unsigned(i) * 2654435761u);
  atomicMax(&u[3], unsigned(i) * 2654435761u);
  atomicInc(&u[4], 6u); // 0 ... 6, then 0 again
  atomicDec(&u[5], 9u); // 9 ... 0, then 9 again
  atomicAnd(&u[6], 0xfffffff0u | unsigned(i));
  atomicOr(&u[7], unsigned(i) << 8);
  atomicXor(&u[8], 1u << (i % 32));
  atomicExch(&u[9], 0xfeedu);
  atomicCAS(&u[10], 1u, 2u);
}

/// Each thread adds to one of two words; which one is no more than a number between them.
__global__ void choose(int* pair) {
  atomicAdd(threadIdx.x % 3 == 0 ? &pair[1] : &pair[0], 1);
}

int main() {
  const int n = 3000;
  DeviceArray<int> s(std::vector<int>{0, 5, 9, 100, -100, -1, 0, 0, 0, 100}), tickets(n);
  DeviceArray<unsigned> u(std::vector<unsigned>{0, 0, ~0u, 0, 0, 0, ~0u, 0, 0, 0, 1});
  run<<<30, 100>>>(s, u, tickets);
  CHECK_LAUNCH();
  const std::vector<int> gs = s.read();
  const std::vector<unsigned> gu = u.read();
  int xorAll = 0, most = 0;
  unsigned least = ~0u, largest = 0, orAll = 0, bits = 0;
  for (int i = 0; i < n; ++i) {
    xorAll ^= i, most = std::max(most, (i * 37) % 3001), orAll |= unsigned(i) << 8,
                 bits ^= 1u << (i % 32);
    least = std::min(least, unsigned(i) * 2654435761u),
    largest = std::max(largest, unsigned(i) * 2654435761u);
  }
  const int ws[9] = {
      n, 5 - n * (n - 1) / 2, 9 - n * 2, 50 - (n - 1), most, -(1 << 20), (1 << 23) - 1, xorAll, 7};
  for (int k = 0; k < 9; ++k)
    expectEqual("int " + std::to_string(k), gs[k], ws[k]);
  expectTrue("one swap won", gs[9] >= 1000 && gs[9] < 1000 + n);
  const unsigned wu[11] = {n * 0x80000001u, 0u - 3u * n, least, largest, n % 7, (10 - n % 10) % 10,
                           0xfffffff0u,     orAll,       bits,  0xfeedu, 2};
  for (int k = 0; k < 11; ++k)
    expectEqual("unsigned " + std::to_string(k), gu[k], wu[k]);
  std::vector<int> got = tickets.read();
  std::sort(got.begin(), got.end());
  expectArray("sorted tickets", got, [](size_t i) { return int(i); });
  DeviceArray<int> pair(std::vector<int>{0, 0});
  choose<<<1, 96>>>(pair);
  CHECK_LAUNCH();
  expectEqual("one of two words", pair.read()[1], 32);
  expectEqual("the other", pair.read()[0], 64);
  return finish();
}
