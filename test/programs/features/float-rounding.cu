// SPDX-License-Identifier: Apache-2.0
// __fadd, __fsub, __fmul, __fmaf, __fdiv, __frcp and __fsqrt with the four roundings, bit for bit
// against double arithmetic.
#include "../check.h"

__global__ void run(const float* in, float* out) {
  const int i = threadIdx.x;
  const float x = in[i], y = in[(i + 7) % blockDim.x];
  float* mine = out + i * 24;
  mine[0] = __fadd_rn(x, y), mine[1] = __fadd_rz(x, y), mine[2] = __fadd_ru(x, y),
  mine[3] = __fadd_rd(x, y);
  mine[4] = __fmul_rn(x, y), mine[5] = __fmul_rz(x, y), mine[6] = __fmul_ru(x, y),
  mine[7] = __fmul_rd(x, y);
  mine[8] = __fsub_rn(x, y), mine[9] = __fsub_rz(x, y), mine[10] = __fsub_ru(x, y),
  mine[11] = __fsub_rd(x, y);
  mine[12] = __fdiv_rn(x, y), mine[13] = __fdiv_rz(x, y), mine[14] = __fdiv_ru(x, y),
  mine[15] = __fdiv_rd(x, y);
  mine[16] = __fsqrt_rn(fabsf(x)), mine[17] = __fsqrt_rz(fabsf(x)), mine[18] = __fsqrt_ru(fabsf(x)),
  mine[19] = __fsqrt_rd(fabsf(x));
  mine[20] = __frcp_rn(x), mine[21] = __frcp_rz(x), mine[22] = __frcp_ru(x),
  mine[23] = __frcp_rd(x);
}

// The double result lies so near to the true one that only its side of the nearest float matters.
float directed(double exact, double error, int mode) {
  const float nearest = float(exact);
  const double over =
      double(nearest) - exact - error; // the sign tells on which side the float lies
  if (mode == 0 || over == 0)
    return nearest;
  const bool down = mode == 3 || (mode == 1 && exact > 0);
  if (down)
    return over > 0 ? std::nextafter(nearest, -INFINITY) : nearest;
  return over < 0 ? std::nextafter(nearest, INFINITY) : nearest;
}

int main() {
  const int n = 96;
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = float((i * 7919) % 1009 + 1) / float(i % 13 + 3) * (i % 3 ? 1.0f : -1.0f);
  DeviceArray<float> device(in), out(n * 24);
  run<<<1, n>>>(device, out);
  CHECK_LAUNCH();
  const std::vector<float> got = out.read();
  for (int i = 0; i < n; ++i) {
    const double x = in[i], y = in[(i + 7) % n], root = std::sqrt(std::fabs(x));
    const double exact[6] = {x + y, x * y, x - y, x / y, root, 1 / x};
    // What the double lost: nothing for sums and products of floats of like size.
    const double lost[6] = {0,
                            0,
                            0,
                            -std::fma(x / y, y, -x) / y,
                            -std::fma(root, root, -std::fabs(x)) / (2 * root),
                            -std::fma(1 / x, x, -1.0) / x};
    const char* names[6] = {"add", "mul", "sub", "div", "sqrt", "rcp"};
    for (int k = 0; k < 24; ++k)
      expectEqual(std::string(names[k / 4]) + " mode " + std::to_string(k % 4), got[i * 24 + k],
                  directed(exact[k / 4], lost[k / 4], k % 4));
  }
  return finish();
}
