// SPDX-License-Identifier: Apache-2.0
// Double to integer, to float and back with each rounding; narrow casts; 64-bit unsigned values
// beyond the signed range.
#include "../check.h"

__global__ void run(const double* in, long long* out, float* floats, double* back) {
  const int i = threadIdx.x;
  const double x = in[i];
  long long* mine = out + i * 11;
  mine[0] = __double2int_rn(x), mine[1] = __double2int_rz(x), mine[2] = __double2int_ru(x),
  mine[3] = __double2int_rd(x);
  mine[4] = __double2ll_rn(x), mine[5] = __double2ll_rz(x), mine[6] = __double2ll_ru(x),
  mine[7] = __double2ll_rd(x);
  mine[8] = __double2uint_rn(fabs(x));
  mine[9] = (long long)__double2ull_rz(fabs(x));
  mine[10] = (short)int(fmod(x, 1000.0)) + (signed char)int(fmod(x, 100.0));
  floats[i * 4] = __double2float_rn(x), floats[i * 4 + 1] = __double2float_rz(x);
  floats[i * 4 + 2] = __double2float_ru(x), floats[i * 4 + 3] = __double2float_rd(x);
  back[i * 3] = __int2double_rn(mine[0]) + __uint2double_rn(unsigned(mine[8]));
  back[i * 3 + 1] = __ll2double_rn(mine[4] + 1);
  back[i * 3 + 2] = __ull2double_rn((unsigned long long)mine[9] + 0x8000000000000000ull);
}

int main() {
  std::vector<double> in = {0.0,  0.5,       1.5,        2.5, -0.5,    -1.5,
                            -2.5, 1e9 + 0.5, -1e9 - 0.5, 0.1, 1.0 / 3, -1e-9};
  for (int i = int(in.size()); i < 64; ++i)
    in.push_back((i % 2 ? -1 : 1) * std::pow(1.37, i) + i / 8.0);
  DeviceArray<double> device(in), back(64 * 3);
  DeviceArray<long long> out(64 * 11);
  DeviceArray<float> floats(64 * 4);
  run<<<1, 64>>>(device, out, floats, back);
  CHECK_LAUNCH();
  const std::vector<long long> got = out.read();
  const std::vector<float> gotFloats = floats.read();
  const std::vector<double> gotBack = back.read();
  for (int i = 0; i < 64; ++i) {
    const double x = in[i],
                 rounded[4] = {std::nearbyint(x), std::trunc(x), std::ceil(x), std::floor(x)};
    for (int k = 0; k < 4; ++k) {
      expectEqual("int of " + text(x), got[i * 11 + k], (long long)rounded[k]);
      expectEqual("long long of " + text(x), got[i * 11 + 4 + k], (long long)rounded[k]);
    }
    expectEqual("unsigned", got[i * 11 + 8], (long long)std::nearbyint(std::fabs(x)));
    expectEqual("unsigned long long", got[i * 11 + 9], (long long)std::trunc(std::fabs(x)));
    expectEqual("narrow", got[i * 11 + 10],
                (short)int(std::fmod(x, 1000.0)) + (signed char)int(std::fmod(x, 100.0)));
    const float nearest = float(x);
    const float below = nearest > x ? std::nextafter(nearest, -INFINITY) : nearest;
    const float above = nearest < x ? std::nextafter(nearest, INFINITY) : nearest;
    const float want[4] = {nearest, x < 0 ? above : below, above, below};
    for (int k = 0; k < 4; ++k)
      expectEqual("float of " + text(x), gotFloats[i * 4 + k], want[k]);
    expectEqual("double of int", gotBack[i * 3], rounded[0] + std::nearbyint(std::fabs(x)));
    expectEqual("double of long long", gotBack[i * 3 + 1], rounded[0] + 1);
    expectEqual("double of unsigned long long", gotBack[i * 3 + 2],
                double((unsigned long long)std::trunc(std::fabs(x)) + 0x8000000000000000ull));
  }
  return finish();
}
