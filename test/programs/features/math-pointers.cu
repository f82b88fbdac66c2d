// SPDX-License-Identifier: Apache-2.0
// Math functions that return more than one value or an integer: sincos, frexp, modf, remquo, ilogb,
// lrint, nextafter, jn, yn.
#include "../check.h"

const int singles = 12, doubles = 12, integers = 11;

__global__ void run(const double* in, float* f, double* d, long long* n) {
  const int i = threadIdx.x;
  const double x = in[i], y = in[(i + 11) % blockDim.x];
  const float xf = float(x), yf = float(y);
  f += i * singles, d += i * doubles, n += i * integers;
  int e = 0, ef = 0, q = 0, qf = 0;
  sincosf(xf, &f[0], &f[1]);
  sincospif(xf, &f[2], &f[3]);
  f[4] = frexpf(xf, &ef);
  f[5] = modff(xf, &f[6]);
  f[7] = remquof(xf, yf, &qf);
  f[8] = nextafterf(xf, yf);
  f[9] = scalblnf(xf, 3l);
  f[10] = jnf(2, fabsf(xf));
  f[11] = ynf(3, fabsf(xf) + 1.0f);
  sincos(x, &d[0], &d[1]);
  sincospi(x, &d[2], &d[3]);
  d[4] = frexp(x, &e);
  d[5] = modf(x, &d[6]);
  d[7] = remquo(x, y, &q);
  d[8] = nextafter(x, y);
  d[9] = scalbln(x, -2l);
  d[10] = jn(2, fabs(x));
  d[11] = yn(3, fabs(x) + 1.0);
  n[0] = e, n[1] = ef, n[2] = q & 7, n[3] = qf & 7;
  n[4] = ilogb(x), n[5] = ilogbf(xf);
  n[6] = lrint(x), n[7] = llroundf(xf), n[8] = lround(x), n[9] = llrintf(xf);
  n[10] = (signbit(x) ? 1 : 0) + (isfinite(xf) ? 2 : 0) + (isnan(y) ? 4 : 0) + (isinf(y) ? 8 : 0);
}

int main() {
  std::vector<double> in;
  for (int i = 0; i < 64; ++i)
    in.push_back((i - 31.5) * 0.21875);
  DeviceArray<double> device(in), d(64 * doubles);
  DeviceArray<float> f(64 * singles);
  DeviceArray<long long> n(64 * integers);
  run<<<1, 64>>>(device, f, d, n);
  CHECK_LAUNCH();
  const std::vector<double> gd = d.read();
  const std::vector<float> gf = f.read();
  const std::vector<long long> gn = n.read();
  for (int i = 0; i < 64; ++i) {
    const double x = in[i], y = in[(i + 11) % 64];
    int e = 0, q = 0;
    double whole = 0;
    const double mantissa = std::frexp(x, &e), part = std::modf(x, &whole),
                 rest = std::remquo(x, y, &q);
    const double want[12] = {std::sin(x),
                             std::cos(x),
                             std::sin(M_PI * std::fmod(x, 2)),
                             std::cos(M_PI * std::fmod(x, 2)),
                             mantissa,
                             part,
                             whole,
                             rest,
                             std::nextafter(x, y),
                             std::scalbln(x, -2l),
                             ::jn(2, std::fabs(x)),
                             ::yn(3, std::fabs(x) + 1)};
    for (int k = 0; k < 12; ++k) {
      const double singleWant = k == 8   ? std::nextafter(float(x), float(y))
                                : k == 9 ? x * 8
                                         : want[k];
      // Splitting and stepping is exact, the others are not.
      const bool exact = k >= 4 && k < 10, bessel = k >= 10;
      expectNear("double " + std::to_string(k) + " at " + text(x), gd[i * doubles + k], want[k],
                 exact ? 0 : 1e-12,
                 exact    ? 0
                 : bessel ? 1e-14
                          : 2e-15);
      expectNear("float " + std::to_string(k) + " at " + text(x), gf[i * singles + k], singleWant,
                 exact ? 0 : 1e-6,
                 exact    ? 0
                 : bessel ? 3e-6
                          : 1e-6);
    }
    const long long bits = (std::signbit(x) ? 1 : 0) + 2;
    const long long wantIntegers[11] = {e,
                                        e,
                                        q & 7,
                                        q & 7,
                                        std::ilogb(x),
                                        std::ilogb(x),
                                        std::lrint(x),
                                        std::llround(x),
                                        std::lround(x),
                                        std::llrint(x),
                                        bits};
    for (int k = 0; k < 11; ++k)
      expectEqual("integer " + std::to_string(k) + " at " + text(x), gn[i * integers + k],
                  wantIntegers[k]);
  }
  return finish();
}
