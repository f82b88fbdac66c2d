// SPDX-License-Identifier: Apache-2.0
// Bits of floats and doubles as integers and back, in all the ways people write it; NaN and minus
// zero keep their bits.
#include <cstring>

#include "../check.h"

__global__ void run(const unsigned* words, const unsigned long long* wides, unsigned* out,
                    unsigned long long* wideOut) {
  const int i = threadIdx.x;
  const float f = __uint_as_float(words[i]);
  out[i * 4] = __float_as_uint(f);
  out[i * 4 + 1] = unsigned(__float_as_int(__int_as_float(int(words[i]))));
  out[i * 4 + 2] = *reinterpret_cast<const unsigned*>(&f);
  memcpy(&out[i * 4 + 3], &f, 4);
  const double d = __longlong_as_double((long long)wides[i]);
  wideOut[i * 3] = (unsigned long long)__double_as_longlong(d);
  wideOut[i * 3 + 1] =
      (unsigned long long)unsigned(__double2hiint(d)) << 32 | unsigned(__double2loint(d));
  wideOut[i * 3 + 2] = (unsigned long long)__double_as_longlong(
      __hiloint2double(int(wides[i] >> 32), int(wides[i])));
}

int main() {
  std::vector<unsigned> words = {0,           0x80000000u, 0x3f800000u, 0x7f800000u,
                                 0xff800000u, 1,           0x007fffffu, 0x7fc00000u};
  std::vector<unsigned long long> wides = {0,
                                           1ull << 63,
                                           0x3ff0000000000000ull,
                                           0x7ff0000000000000ull,
                                           1,
                                           0x7ff8000000000000ull,
                                           0x123456789abcdef0ull,
                                           ~0ull >> 12};
  while (words.size() < 64) {
    words.push_back(unsigned(words.size()) * 2654435761u & 0x3fffffffu);
    wides.push_back(wides.size() * 0x9e3779b97f4a7c15ull & 0x3fffffffffffffffull);
  }
  DeviceArray<unsigned> in(words), out(64 * 4);
  DeviceArray<unsigned long long> wideIn(wides), wideOut(64 * 3);
  run<<<1, 64>>>(in, wideIn, out, wideOut);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [&](size_t i) { return words[i / 4]; });
  expectArray("wide", wideOut.read(), [&](size_t i) { return wides[i / 3]; });
  return finish();
}
