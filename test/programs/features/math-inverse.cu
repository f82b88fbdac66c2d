// SPDX-License-Identifier: Apache-2.0
// erfinv, erfcinv, normcdfinv in both precisions: the function of the inverse gives the argument
// back.
#include "../check.h"

__global__ void run(const double* in, double* d, float* f) {
  const int i = threadIdx.x;
  const double u = in[i];
  d[i * 3] = erfinv(u), d[i * 3 + 1] = erfcinv(1.0 + u), d[i * 3 + 2] = normcdfinv(0.5 + 0.5 * u);
  const float v = float(u);
  f[i * 3] = erfinvf(v), f[i * 3 + 1] = erfcinvf(1.0f + v),
        f[i * 3 + 2] = normcdfinvf(0.5f + 0.5f * v);
}

int main() {
  std::vector<double> in;
  for (int i = 0; i < 64; ++i)
    in.push_back((i - 31.5) / 32);
  DeviceArray<double> device(in), d(64 * 3);
  DeviceArray<float> f(64 * 3);
  run<<<1, 64>>>(device, d, f);
  CHECK_LAUNCH();
  const std::vector<double> gd = d.read();
  const std::vector<float> gf = f.read();
  for (int i = 0; i < 64; ++i) {
    const double u = in[i];
    expectNear("erf(erfinv)", std::erf(gd[i * 3]), u, 1e-14, 1e-15);
    expectNear("erfc(erfcinv)", std::erfc(gd[i * 3 + 1]), 1 + u, 1e-13);
    expectNear("normcdf(normcdfinv)", 0.5 * std::erfc(-gd[i * 3 + 2] * M_SQRT1_2), 0.5 + 0.5 * u,
               1e-13);
    expectNear("erf(erfinvf)", std::erf(gf[i * 3]), u, 1e-5);
    expectNear("erfc(erfcinvf)", std::erfc(gf[i * 3 + 1]), 1 + u, 1e-5);
    expectNear("normcdf(normcdfinvf)", 0.5 * std::erfc(-gf[i * 3 + 2] * M_SQRT1_2), 0.5 + 0.5 * u,
               1e-5);
  }
  return finish();
}
