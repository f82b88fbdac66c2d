// SPDX-License-Identifier: Apache-2.0
// Float to integer and back with each rounding, casts, and what happens out of range: saturation.
#include "../check.h"

__global__ void toInteger(const float* in, long long* out) {
  const float x = in[threadIdx.x];
  long long* mine = out + threadIdx.x * 12;
  mine[0] = __float2int_rn(x), mine[1] = __float2int_rz(x), mine[2] = __float2int_ru(x),
  mine[3] = __float2int_rd(x);
  mine[4] = __float2uint_rn(x), mine[5] = __float2uint_rz(x), mine[6] = __float2uint_ru(x),
  mine[7] = __float2uint_rd(x);
  mine[8] = __float2ll_rn(x), mine[9] = __float2ll_rz(x), mine[10] = __float2ll_ru(x),
  mine[11] = __float2ll_rd(x);
}

__global__ void toFloat(const int* in, float* out) {
  const int x = in[threadIdx.x];
  const long long wide = x * 2147483649ll;
  float* mine = out + threadIdx.x * 13;
  mine[0] = __int2float_rn(x), mine[1] = __int2float_rz(x), mine[2] = __int2float_ru(x),
  mine[3] = __int2float_rd(x);
  mine[4] = __uint2float_rn(x), mine[5] = __uint2float_rz(x), mine[6] = __uint2float_ru(x),
  mine[7] = __uint2float_rd(x);
  mine[8] = __ll2float_rn(wide), mine[9] = __ll2float_rz(wide), mine[10] = __ll2float_ru(wide),
  mine[11] = __ll2float_rd(wide);
  mine[12] = float(x) + float((unsigned long long)wide);
}

// Modes: 0 to nearest even, 1 towards zero, 2 up, 3 down.
double rounded(double x, int mode) {
  const double down = std::floor(x), rest = x - down;
  switch (mode) {
  case 0:
    return rest > 0.5 || (rest == 0.5 && std::fmod(down, 2) != 0) ? down + 1 : down;
  case 1:
    return std::trunc(x);
  case 2:
    return std::ceil(x);
  default:
    return down;
  }
}
long long clamped(double x, double low, long long lowest, double high, long long highest) {
  if (std::isnan(x))
    return 0;
  return x <= low ? lowest : x >= high ? highest : (long long)x;
}
long long wantInteger(float f, int what) {
  const double x = f;
  if (what < 4)
    return clamped(rounded(x, what), -0x1p31, -2147483648ll, 0x1p31, 2147483647ll);
  if (what < 8)
    return clamped(rounded(x, what - 4), 0, 0, 0x1p32, 4294967295ll);
  return clamped(rounded(x, what - 8), -0x1p63, -9223372036854775807ll - 1, 0x1p63,
                 9223372036854775807ll);
}
float wantFloat(int x, int what) {
  // The nearest float, then one step if the rounding asks for another neighbour.
  const auto direct = [](__int128 v, int mode) {
    float f = float((long double)v);
    const __int128 back = (__int128)f;
    const bool down = mode == 3 || (mode == 1 && v > 0), up = mode == 2 || (mode == 1 && v < 0);
    if (down && back > v)
      f = std::nextafter(f, -INFINITY);
    if (up && back < v)
      f = std::nextafter(f, INFINITY);
    return f;
  };
  const long long wide = x * 2147483649ll;
  return what < 4   ? direct(x, what)
         : what < 8 ? direct(unsigned(x), what - 4)
                    : direct(wide, what - 8);
}

int main() {
  std::vector<float> floats = {0.0f,        -0.0f,      0.5f,   1.5f,          2.5f,
                               -0.5f,       -1.5f,      1e9f,   2147483648.0f, -2147483648.0f,
                               3e9f,        1e20f,      -1e20f, INFINITY,      -INFINITY,
                               0.99999994f, 8388608.5f, -3.999f};
  for (int i = int(floats.size()); i < 64; ++i)
    floats.push_back(float(i * i * i) * 0.37f - 20000.0f);
  std::vector<int> ints = {0,        1,        -1, 16777217, -16777217, 2147483647, -2147483647 - 1,
                           33554435, 123456789};
  for (int i = int(ints.size()); i < 64; ++i)
    ints.push_back(int(unsigned(i) * 2654435761u));
  DeviceArray<float> floatsIn(floats), floatsOut(64 * 13);
  DeviceArray<int> intsIn(ints);
  DeviceArray<long long> integers(64 * 12);
  toInteger<<<1, 64>>>(floatsIn, integers);
  toFloat<<<1, 64>>>(intsIn, floatsOut);
  CHECK_LAUNCH();
  const std::vector<long long> gotIntegers = integers.read();
  const std::vector<float> gotFloats = floatsOut.read();
  for (int i = 0; i < 64; ++i) {
    for (int k = 0; k < 12; ++k) {
      expectEqual("integer " + std::to_string(k) + " of " + text(floats[i]),
                  gotIntegers[i * 12 + k], wantInteger(floats[i], k));
      expectEqual("float " + std::to_string(k) + " of " + text(ints[i]), gotFloats[i * 13 + k],
                  wantFloat(ints[i], k));
    }
    const float both = float(ints[i]) + float((unsigned long long)(ints[i] * 2147483649ll));
    expectEqual("casts", gotFloats[i * 13 + 12], both);
  }
  return finish();
}
