// SPDX-License-Identifier: Apache-2.0
// COVERS: cuComplex, double
// cuComplex.h in float and double: sums, products, quotients, absolute values and conversions.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>

#include <cuComplex.h>

#define N 200

__global__ void compute(const cuDoubleComplex* a, const cuDoubleComplex* b, cuDoubleComplex* out,
                        double* mag, cuFloatComplex* f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N)
    return;
  cuDoubleComplex s = cuCadd(a[i], b[i]), d = cuCsub(a[i], b[i]), p = cuCmul(s, cuConj(d)),
                  q = cuCdiv(p, b[i]);
  out[i] = cuCfma(q, a[i], s);
  mag[i] = cuCabs(d);
  cuFloatComplex x = cuComplexDoubleToFloat(a[i]), y = make_cuFloatComplex(cuCrealf(x), 2.0f);
  f[i] = cuCaddf(cuCmulf(x, y), cuConjf(y));
}

int main() {
  static cuDoubleComplex a[N], b[N], out[N];
  static double mag[N];
  static cuFloatComplex f[N];
  for (int i = 0; i < N; ++i) {
    a[i] = make_cuDoubleComplex(i % 13 - 6, i % 7);
    b[i] = make_cuDoubleComplex(1 + i % 5, i % 3 - 1);
  }
  cuDoubleComplex *da, *db, *dout;
  double* dmag;
  cuFloatComplex* df;
  if (cudaMalloc(&da, sizeof a) || cudaMalloc(&db, sizeof b) || cudaMalloc(&dout, sizeof out) ||
      cudaMalloc(&dmag, sizeof mag) || cudaMalloc(&df, sizeof f))
    return puts("FAIL"), 1;
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  compute<<<(N + 63) / 64, 64>>>(da, db, dout, dmag, df);
  cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(mag, dmag, sizeof mag, cudaMemcpyDeviceToHost);
  cudaError_t e = cudaMemcpy(f, df, sizeof f, cudaMemcpyDeviceToHost);
  int bad = e != cudaSuccess;
  for (int i = 0; i < N; ++i) {
    std::complex<double> x(cuCreal(a[i]), cuCimag(a[i])), y(b[i].x, b[i].y),
        s = x + y, d = x - y, q = s * std::conj(d) / y;
    std::complex<double> want = q * x + s;
    std::complex<float> fx(x), fy((float)x.real(), 2.0f), fw = fx * fy + std::conj(fy);
    bool ok =
        std::abs(want - std::complex<double>(out[i].x, out[i].y)) < 1e-9 * (1 + std::abs(want)) &&
        fabs(mag[i] - std::abs(d)) < 1e-12 * (1 + mag[i]) &&
        std::abs(fw - std::complex<float>(f[i].x, f[i].y)) < 1e-4f;
    bad += !ok;
  }
  cudaFree(da), cudaFree(db), cudaFree(dout), cudaFree(dmag), cudaFree(df);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
