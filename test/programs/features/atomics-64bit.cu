// SPDX-License-Identifier: Apache-2.0
// The 64-bit integer atomics on global memory: carries beyond 32 bits, signed minima, and a packed
// value-and-index minimum.
#include <algorithm>

#include "../check.h"

typedef unsigned long long Word;

__global__ void run(Word* u, long long* s, Word* old) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Word key = Word(i + 1) * 0x9e3779b97f4a7c15ull;
  old[i] = atomicAdd(&u[0], 0x100000000ull);
  atomicAdd(&u[1], 0xffffffffffffffffull); // minus one
  atomicMin(&u[2], key);
  atomicMax(&u[3], key);
  atomicAnd(&u[4], ~(1ull << (i % 64)));
  atomicOr(&u[5], 1ull << (i * 3 % 61));
  atomicXor(&u[6], key);
  atomicExch(&u[7], 0xabcdef0123456789ull);
  atomicCAS(&u[8], 0ull, Word(i) + 1);
  atomicMin(&u[9], (Word)((i * 7919) % 1021) << 32 | Word(i)); // least value, first index
  atomicMin(&s[0], (long long)(key));
  atomicMax(&s[1], (long long)(key));
}

int main() {
  const int n = 1024;
  DeviceArray<Word> u(std::vector<Word>{0, 5, ~0ull, 0, ~0ull, 0, 0, 0, 0, ~0ull}), old(n);
  DeviceArray<long long> s(std::vector<long long>{0, 0});
  run<<<8, 128>>>(u, s, old);
  CHECK_LAUNCH();
  Word least = ~0ull, most = 0, orAll = 0, xorAll = 0, first = ~0ull;
  long long low = 0, high = 0;
  for (int i = 0; i < n; ++i) {
    const Word key = Word(i + 1) * 0x9e3779b97f4a7c15ull;
    least = std::min(least, key), most = std::max(most, key), xorAll ^= key,
    orAll |= 1ull << (i * 3 % 61);
    first = std::min(first, Word((i * 7919) % 1021) << 32 | Word(i));
    low = std::min(low, (long long)key), high = std::max(high, (long long)key);
  }
  const std::vector<Word> got = u.read();
  const Word want[8] = {Word(n) << 32, 5 - Word(n),          least, most, 0, orAll,
                        xorAll,        0xabcdef0123456789ull};
  for (int k = 0; k < 8; ++k)
    expectEqual("unsigned long long " + std::to_string(k), got[k], want[k]);
  expectTrue("one swap won", got[8] >= 1 && got[8] <= n);
  expectEqual("least value and its index", got[9], first);
  expectEqual("signed minimum", s.read()[0], low);
  expectEqual("signed maximum", s.read()[1], high);
  std::vector<Word> tickets = old.read();
  std::sort(tickets.begin(), tickets.end());
  expectArray("tickets", tickets, [](size_t i) { return Word(i) << 32; });
  return finish();
}
