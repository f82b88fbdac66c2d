// SPDX-License-Identifier: Apache-2.0
// Infinities, NaN, signed zeros and denormals through the math library, comparisons and
// classification.
#include <limits>

#include "../check.h"

template <class T> __host__ __device__ int classify(T a, T b) {
  int bits = 0;
  bits |= isnan(a) ? 1 : 0;
  bits |= isinf(a) ? 2 : 0;
  bits |= isfinite(a) ? 4 : 0;
  bits |= signbit(a) ? 8 : 0;
  bits |= a < b ? 16 : 0;
  bits |= a == b ? 32 : 0;
  bits |= !(a >= b) ? 64 : 0;
  bits |= a != a ? 128 : 0;
  return bits;
}

template <class T> __global__ void run(const T* in, int n, T* out, int* bits) {
  const int i = threadIdx.x / n, j = threadIdx.x % n;
  const T a = in[i], b = in[j];
  T* mine = out + threadIdx.x * 8;
  mine[0] = fmin(a, b); // the number wins over NaN
  mine[1] = fmax(a, b);
  mine[2] = sqrt(a);
  mine[3] = exp(a);
  mine[4] = log(a);
  mine[5] = a / b;
  mine[6] = floor(a) + b;
  mine[7] = copysign(a, b);
  bits[threadIdx.x] = classify(a, b);
}

template <class T> void check(const std::vector<T>& in, double tolerance) {
  const int n = int(in.size());
  DeviceArray<T> device(in), out(n * n * 8);
  DeviceArray<int> bits(n * n);
  run<T><<<1, n * n>>>(device, n, out, bits);
  CHECK_LAUNCH();
  const std::vector<T> got = out.read();
  for (int k = 0; k < n * n; ++k) {
    const T a = in[k / n], b = in[k % n];
    const T want[8] = {std::fmin(a, b), std::fmax(a, b), std::sqrt(a),      std::exp(a),
                       std::log(a),     a / b,           std::floor(a) + b, std::copysign(a, b)};
    for (int f = 0; f < 8; ++f)
      expectNear("function " + std::to_string(f) + " of " + text(a) + ", " + text(b),
                 got[k * 8 + f], want[f], tolerance);
  }
  expectArray("bits", bits.read(), [&](size_t k) { return classify(in[k / n], in[k % n]); });
}

int main() {
  const float inf = INFINITY, nan = NAN;
  check<float>({0.0f, -0.0f, 1.0f, -2.5f, inf, -inf, nan, 1e-42f, 3e38f, 89.0f}, 1e-6);
  check<double>({0.0, -0.0, 1.0, -2.5, inf, -inf, nan, 5e-324, 1e308, 710.0}, 1e-14);
  return finish();
}
