// SPDX-License-Identifier: Apache-2.0
// __dadd, __dmul, __dsub, __ddiv, __drcp, __dsqrt and __fma with the four roundings: each mode on
// its side of the true value.
#include "../check.h"

__global__ void run(const double* in, double* out) {
  const int i = threadIdx.x;
  const double x = in[i], y = in[(i + 7) % blockDim.x], z = -x * y;
  double* mine = out + i * 28;
  mine[0] = __dadd_rn(x, y), mine[1] = __dadd_rz(x, y), mine[2] = __dadd_ru(x, y),
  mine[3] = __dadd_rd(x, y);
  mine[4] = __dmul_rn(x, y), mine[5] = __dmul_rz(x, y), mine[6] = __dmul_ru(x, y),
  mine[7] = __dmul_rd(x, y);
  mine[8] = __dsub_rn(x, y), mine[9] = __dsub_rz(x, y), mine[10] = __dsub_ru(x, y),
  mine[11] = __dsub_rd(x, y);
  mine[12] = __ddiv_rn(x, y), mine[13] = __ddiv_rz(x, y), mine[14] = __ddiv_ru(x, y),
  mine[15] = __ddiv_rd(x, y);
  mine[16] = __drcp_rn(x), mine[17] = __drcp_rz(x), mine[18] = __drcp_ru(x),
  mine[19] = __drcp_rd(x);
  mine[20] = __dsqrt_rn(fabs(x)), mine[21] = __dsqrt_rz(fabs(x)), mine[22] = __dsqrt_ru(fabs(x)),
  mine[23] = __dsqrt_rd(fabs(x));
  mine[24] = __fma_rn(x, y, z), mine[25] = __fma_rz(x, y, z), mine[26] = __fma_ru(x, y, z),
  mine[27] = __fma_rd(x, y, z);
}

// By how much the true value exceeds the rounded one; only the sign is used.
double excess(int operation, double x, double y, double result) {
  switch (operation) {
  case 0:
  case 2: { // error-free sum
    const double b = operation == 0 ? y : -y, virtualB = result - x;
    return (x - (result - virtualB)) + (b - virtualB);
  }
  case 1:
    return std::fma(x, y, -result);
  case 3:
    return -std::fma(result, y, -x) / y;
  case 4:
    return -std::fma(result, x, -1.0) / x;
  default:
    return -std::fma(result, result, -std::fabs(x));
  }
}

int main() {
  const int n = 96;
  std::vector<double> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = double((i * 7919) % 1009 + 1) / double(i % 13 + 3) * (i % 3 ? 1.0 : -1.0);
  DeviceArray<double> device(in), out(n * 28);
  run<<<1, n>>>(device, out);
  CHECK_LAUNCH();
  const std::vector<double> got = out.read();
  for (int i = 0; i < n; ++i) {
    const double x = in[i], y = in[(i + 7) % n];
    const double nearest[6] = {x + y, x * y, x - y, x / y, 1 / x, std::sqrt(std::fabs(x))};
    for (int operation = 0; operation < 6; ++operation) {
      const double* mine = &got[i * 28 + operation * 4];
      const double rn = nearest[operation], over = excess(operation, x, y, rn);
      const double up = over > 0 ? std::nextafter(rn, INFINITY) : rn,
                   down = over < 0 ? std::nextafter(rn, -INFINITY) : rn;
      const double want[4] = {rn, rn > 0 ? down : up, up, down};
      for (int mode = 0; mode < 4; ++mode)
        expectEqual("operation " + std::to_string(operation) + " mode " + std::to_string(mode),
                    mine[mode], want[mode]);
    }
    for (int mode = 0; mode < 4; ++mode) // the exact error of the product
      expectEqual("fma", got[i * 28 + 24 + mode], std::fma(x, y, -(x * y)));
  }
  return finish();
}
