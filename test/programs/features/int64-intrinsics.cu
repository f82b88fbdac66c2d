// SPDX-License-Identifier: Apache-2.0
// Integer intrinsics on 64 bits, 64- and 128-bit arithmetic by hand, division and shifts, dot
// products of bytes.
#include "../check.h"

typedef unsigned long long Word;

__host__ __device__ Word bits(int i) {
  return Word(i + 1) * 0x9e3779b97f4a7c15ull >> (i % 64);
}

__global__ void run(Word* out) {
  const int i = threadIdx.x;
  const Word a = bits(i), b = bits(63 - i);
  Word* mine = out + i * 11;
  mine[0] = __popcll(a);
  mine[1] = __clzll((long long)a);
  mine[2] = __ffsll((long long)a);
  mine[3] = __brevll(a);
  mine[4] = __mul64hi((long long)a, (long long)b);
  mine[5] = __umul64hi(a, b);
  mine[6] = a / (b | 1) + a % (b | 1);
  mine[7] = Word((long long)a / ((long long)b | 1)) ^ Word((long long)a % ((long long)b | 1));
  mine[8] = (a << (i % 64)) ^ (a >> (i * 7 % 64)) ^ Word((long long)a >> (i % 64));
  mine[9] = Word(__dp4a(int(a), int(b), 17));
  mine[10] = __dp4a(unsigned(a), unsigned(b), 3u);
}

Word reference(int what, int i) {
  const Word a = bits(i), b = bits(63 - i);
  const long long s = (long long)a, t = (long long)b;
  Word result = 0;
  switch (what) {
  case 0:
    for (int k = 0; k < 64; ++k)
      result += a >> k & 1;
    return result;
  case 1:
    while (result < 64 && !(a << result >> 63))
      ++result;
    return result;
  case 2:
    if (!a)
      return 0;
    while (!(a >> result & 1))
      ++result;
    return result + 1;
  case 3:
    for (int k = 0; k < 64; ++k)
      result |= (a >> k & 1) << (63 - k);
    return result;
  case 4:
    return Word((__int128)s * t >> 64);
  case 5:
    return Word((unsigned __int128)a * b >> 64);
  case 6:
    return a / (b | 1) + a % (b | 1);
  case 7:
    return Word(s / (t | 1)) ^ Word(s % (t | 1));
  case 8:
    return (a << (i % 64)) ^ (a >> (i * 7 % 64)) ^ Word(s >> (i % 64));
  case 9: {
    int sum = 17;
    for (int k = 0; k < 32; k += 8)
      sum += (signed char)(a >> k) * (signed char)(b >> k);
    return Word(sum);
  }
  default: {
    unsigned sum = 3;
    for (int k = 0; k < 32; k += 8)
      sum += (unsigned char)(a >> k) * (unsigned char)(b >> k);
    return sum;
  }
  }
}

int main() {
  DeviceArray<Word> out(64 * 11);
  run<<<1, 64>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t k) { return reference(int(k) % 11, int(k) / 11); });
  return finish();
}
