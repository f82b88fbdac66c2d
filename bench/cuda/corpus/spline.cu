// SPDX-License-Identifier: Apache-2.0
// Cubic interpolation of unevenly spaced samples: a binary search, then a Hermite polynomial.
#include "common.h"

__host__ __device__ double valueAt(const double* x, const double* y, int count, double at) {
  int low = 0, high = count - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (x[middle] > at)
      high = middle;
    else
      low = middle;
  }
  double h = x[high] - x[low], t = (at - x[low]) / h, slope = (y[high] - y[low]) / h;
  double before = low > 0 ? (y[low] - y[low - 1]) / (x[low] - x[low - 1]) : slope;
  double after = high + 1 < count ? (y[high + 1] - y[high]) / (x[high + 1] - x[high]) : slope;
  double m0 = before * slope > 0 ? 2 * before * slope / (before + slope) : 0;
  double m1 = after * slope > 0 ? 2 * after * slope / (after + slope) : 0;
  double t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * y[low] + (t3 - 2 * t2 + t) * h * m0 + (3 * t2 - 2 * t3) * y[high] +
         (t3 - t2) * h * m1;
}

__global__ void interpolate(const double* x, const double* y, int count, const double* at,
                            double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = valueAt(x, y, count, at[i]);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 2048), count = 500;
  Random random(137);
  std::vector<double> x(count), y(count), at(n), want(n);
  for (int i = 0; i < count; ++i) {
    x[i] = (i ? x[i - 1] : 0) + 0.1 + random.uniform();
    y[i] = sin(x[i] * 0.05) * 10;
  }
  for (int i = 0; i < n; ++i) {
    at[i] = x[0] + (x[count - 1] - x[0]) * random.uniform();
    want[i] = valueAt(x.data(), y.data(), count, at[i]);
  }
  double* out = allocate<double>(n);
  interpolate<<<(n + 127) / 128, 128>>>(upload(x), upload(y), count, upload(at), out, n);
  return verdict(allNear(download(out, n), want, 1e-9));
}
