// SPDX-License-Identifier: Apache-2.0
// Integer intrinsics on 32 bits against plain C++: counts, reversals, bytes, 24-bit and high
// products, averages, distances.
#include <algorithm>

#include "../check.h"

__global__ void run(const unsigned* in, unsigned* out) {
  const int i = threadIdx.x;
  const unsigned a = in[i], b = in[(i * 5 + 1) % blockDim.x];
  const int s = int(a), t = int(b);
  unsigned* mine = out + i * 20;
  mine[0] = __popc(a);
  mine[1] = __clz(s);
  mine[2] = __ffs(s);
  mine[3] = __brev(a);
  mine[4] = __byte_perm(a, b, i * 0x1357 & 0x7777);
  mine[5] = __mul24(s, t);
  mine[6] = __umul24(a, b);
  mine[7] = __mulhi(s, t);
  mine[8] = __umulhi(a, b);
  mine[9] = __sad(s, t, 5u);
  mine[10] = __usad(a, b, 7u);
  mine[11] = __hadd(s, t);
  mine[12] = __rhadd(s, t);
  mine[13] = __uhadd(a, b);
  mine[14] = __urhadd(a, b);
  mine[15] = __funnelshift_l(a, b, i);
  mine[16] = __funnelshift_r(a, b, i);
  mine[17] = __funnelshift_lc(a, b, i % 50);
  mine[18] = __funnelshift_rc(a, b, i % 50);
  mine[19] = unsigned(abs(s / 2)) + unsigned(min(s, t)) - max(a, b);
}

unsigned reference(int what, int i, unsigned a, unsigned b) {
  const long long s = int(a), t = int(b), u = a, v = b;
  const unsigned long long pair = (unsigned long long)b << 32 | a;
  const auto low24 = [](long long x) { return (long long)(int(unsigned(x) << 8) >> 8); };
  unsigned result = 0;
  switch (what) {
  case 0:
    for (int k = 0; k < 32; ++k)
      result += a >> k & 1;
    return result;
  case 1:
    while (result < 32 && !(a << result & 0x80000000u))
      ++result;
    return result;
  case 2:
    if (!a)
      return 0;
    while (!(a >> result & 1))
      ++result;
    return result + 1;
  case 3:
    for (int k = 0; k < 32; ++k)
      result |= (a >> k & 1) << (31 - k);
    return result;
  case 4:
    for (int k = 0; k < 4; ++k) {
      const unsigned selector = unsigned(i * 0x1357) >> 4 * k & 7;
      result |= (unsigned(pair >> 8 * selector) & 0xff) << 8 * k;
    }
    return result;
  case 5:
    return unsigned(low24(s) * low24(t));
  case 6:
    return unsigned((u & 0xffffff) * (v & 0xffffff));
  case 7:
    return unsigned((s * t) >> 32);
  case 8:
    return unsigned((unsigned long long)u * (unsigned long long)v >> 32);
  case 9:
    return unsigned((s > t ? s - t : t - s) + 5);
  case 10:
    return unsigned((u > v ? u - v : v - u) + 7);
  case 11:
    return unsigned((s + t) >> 1);
  case 12:
    return unsigned((s + t + 1) >> 1);
  case 13:
    return unsigned((u + v) >> 1);
  case 14:
    return unsigned((u + v + 1) >> 1);
  case 15:
    return unsigned(pair << (i & 31) >> 32);
  case 16:
    return unsigned(pair >> (i & 31));
  case 17:
    return i % 50 >= 32 ? a : unsigned(pair << i % 50 >> 32);
  case 18:
    return i % 50 >= 32 ? b : unsigned(pair >> i % 50);
  default:
    return unsigned(std::abs(int(a) / 2)) + unsigned(std::min(int(a), int(b))) - std::max(a, b);
  }
}

int main() {
  const int n = 64;
  std::vector<unsigned> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = (unsigned(i) * 2654435761u) >> (i % 32);
  in[0] = 0, in[1] = ~0u, in[2] = 0x80000000u, in[3] = 0x7fffffffu;
  DeviceArray<unsigned> device(in), out(n * 20);
  run<<<1, n>>>(device, out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [&](size_t k) {
    const int i = int(k) / 20;
    return reference(int(k) % 20, i, in[i], in[(i * 5 + 1) % n]);
  });
  return finish();
}
