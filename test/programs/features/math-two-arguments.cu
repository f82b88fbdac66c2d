// SPDX-License-Identifier: Apache-2.0
// Math functions of two and more arguments in both precisions: powers, remainders, distances,
// norms, steps, minima.
#include "../check.h"

// name, reference in double, error in units in the last place; x and y may be negative, p is not
#define FUNCTIONS(F)                                                                               \
  F(atan2, (x, y), std::atan2(x, y), 6)                                                            \
  F(pow, (p, y), std::pow(p, y), 16)                                                               \
  F(fmod, (x, y), std::fmod(x, y), 0)                                                              \
  F(remainder, (x, y), std::remainder(x, y), 0)                                                    \
  F(hypot, (x, y), std::hypot(x, y), 4)                                                            \
  F(rhypot, (x, y), 1 / std::hypot(x, y), 6) F(fmin, (x, y), std::fmin(x, y), 0)                   \
      F(fmax, (x, y), std::fmax(x, y), 0) F(fdim, (x, y), std::fdim(x, y), 1)                      \
          F(copysign, (x, y), std::copysign(x, y), 0) F(fma, (x, y, p), std::fma(x, y, p), 1)      \
              F(ldexp, (x, i % 40 - 20), std::ldexp(x, i % 40 - 20), 0)                            \
                  F(scalbn, (x, i % 9), std::scalbn(x, i % 9), 0)                                  \
                      F(norm3d, (x, y, p), std::sqrt(x* x + y * y + p * p), 6)                     \
                          F(rnorm3d, (x, y, p), 1 / std::sqrt(x * x + y * y + p * p), 6)           \
                              F(norm4d, (x, y, p, x), std::sqrt(2 * x * x + y * y + p * p), 6)

// In single precision the names end in f.
#define SINGLE(F)                                                                                  \
  F(atan2f, (x, y), , )                                                                            \
  F(powf, (p, y), , )                                                                              \
  F(fmodf, (x, y), , )                                                                             \
  F(remainderf, (x, y), , )                                                                        \
  F(hypotf, (x, y), , )                                                                            \
  F(rhypotf, (x, y), , ) F(fminf, (x, y), , ) F(fmaxf, (x, y), , ) F(fdimf, (x, y), , )            \
      F(copysignf, (x, y), , ) F(fmaf, (x, y, p), , ) F(ldexpf, (x, i % 40 - 20), , )              \
          F(scalbnf, (x, i % 9), , ) F(norm3df, (x, y, p), , ) F(rnorm3df, (x, y, p), , )          \
              F(norm4df, (x, y, p, x), , )

const int functions = 16;
#define ON_DEVICE(name, arguments, reference, units) *mine++ = name arguments;

__global__ void run(const double* in, double* out, float* outSingle) {
  const int i = threadIdx.x;
  {
    const double x = in[3 * i], y = in[3 * i + 1], p = in[3 * i + 2];
    double* mine = out + i * functions;
    FUNCTIONS(ON_DEVICE)
  }
  const float x = float(in[3 * i]), y = float(in[3 * i + 1]), p = float(in[3 * i + 2]);
  float* mine = outSingle + i * functions;
  SINGLE(ON_DEVICE)
}

int main() {
  const int n = 96;
  std::vector<double> in(3 * n); // all are floats too
  for (int i = 0; i < n; ++i) {
    in[3 * i] = (i * 37 % 96 - 47) * 0.15625;
    in[3 * i + 1] = (i * 53 % 96 - 48.5) * 0.125;
    in[3 * i + 2] = 0.25 + i * 0.0625;
  }
  DeviceArray<double> device(in), out(n * functions);
  DeviceArray<float> outSingle(n * functions);
  run<<<1, n>>>(device, out, outSingle);
  CHECK_LAUNCH();
  const std::vector<double> got = out.read();
  const std::vector<float> gotSingle = outSingle.read();
  for (int i = 0; i < n; ++i) {
    const double x = in[3 * i], y = in[3 * i + 1], p = in[3 * i + 2];
    int at = i * functions;
#define ON_HOST(name, arguments, reference, units)                                                 \
  expectNear(#name, got[at], reference, units * 0x1p-52);                                          \
  expectNear(#name "f", gotSingle[at++], reference, (units + 1) * 0x1p-23);
    FUNCTIONS(ON_HOST)
  }
  return finish();
}
