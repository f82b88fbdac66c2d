// SPDX-License-Identifier: Apache-2.0
// COVERS: cublas, cublas: LU factors of many matrices, cublas: trsv and rot
// FLAGS: -lcublas
// Many small systems that need their rows exchanged: factors, solutions for A and its transpose,
// inverses, one that is singular; a triangular system with steps, and a turn of points.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>

static const int n = 6, batch = 5;
static int failures = 0;

static void expect(const char* what, double value, double bound) {
  if (!(value <= bound)) {
    printf("%s: %g, expected at most %g\n", what, value, bound);
    ++failures;
  }
}
template <class T> T* managed(size_t count) {
  T* memory = nullptr;
  if (cudaMallocManaged(&memory, count * sizeof(T)) != cudaSuccess)
    exit(1);
  return memory;
}

static double residual(const double* a, const double* x, const double* b, bool transposed) {
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double sum = -b[i];
    for (int j = 0; j < n; ++j)
      sum += (transposed ? a[i * n + j] : a[j * n + i]) * x[j];
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

static void factors(cublasHandle_t handle) {
  double *a = managed<double>(batch * n * n), *b = managed<double>(batch * n),
         *t = managed<double>(batch * n), *c = managed<double>(batch * n * n);
  double **pa = managed<double*>(batch), **pb = managed<double*>(batch),
         **pt = managed<double*>(batch), **pc = managed<double*>(batch);
  int *pivots = managed<int>(batch * n), *info = managed<int>(batch), wrong = -1;
  for (int i = 0; i < batch * n * n; ++i)
    a[i] = (i * 37 % 19 - 9) / 8.0 + (i % n == (i / n % n + 1) % n ? 5 : 0); // large off the diagonal
  for (int i = 0; i < n * n; ++i)
    a[(batch - 1) * n * n + i] = i / n == 3 ? 0 : i % n + i / n * i % 5; // a column of zeros
  for (int i = 0; i < batch * n; ++i)
    b[i] = t[i] = i % 7 - 3;
  for (int i = 0; i < batch; ++i) {
    pa[i] = a + i * n * n, pb[i] = b + i * n, pt[i] = t + i * n, pc[i] = c + i * n * n;
  }
  const std::vector<double> a0(a, a + batch * n * n), b0(b, b + batch * n);
  int status = cublasDgetrfBatched(handle, n, pa, n, pivots, info, batch);
  cudaDeviceSynchronize();
  for (int i = 0; i < batch; ++i)
    expect("info is the first zero of U", (info[i] != 0) != (i == batch - 1), 0);
  const int good = batch - 1;
  status |= cublasDgetrsBatched(handle, CUBLAS_OP_N, n, 1, pa, n, pivots, pb, n, &wrong, good);
  status |= cublasDgetrsBatched(handle, CUBLAS_OP_T, n, 1, pa, n, pivots, pt, n, &wrong, good);
  status |= cublasDgetriBatched(handle, n, pa, n, pivots, pc, n, info, good);
  cudaDeviceSynchronize();
  expect("status", status + abs(wrong), 0);
  for (int i = 0; i < good; ++i) {
    expect("A x = b", residual(&a0[i * n * n], b + i * n, &b0[i * n], false), 1e-10);
    expect("A^T x = b", residual(&a0[i * n * n], t + i * n, &b0[i * n], true), 1e-10);
    for (int column = 0; column < n; ++column) {
      std::vector<double> unit(n, 0.0);
      unit[column] = 1;
      expect("inverse", residual(&a0[i * n * n], c + (i * n + column) * n, unit.data(), false),
             1e-10);
    }
  }
}

static void steps(cublasHandle_t handle) {
  float *a = managed<float>(n * n), *x = managed<float>(2 * n), *y = managed<float>(n);
  for (int i = 0; i < n * n; ++i)
    a[i] = i % (n + 1) == 0 ? 4.0f : float(i % 5 - 2);
  for (int i = 0; i < 2 * n; ++i)
    x[i] = float(i + 1);
  const std::vector<float> x0(x, x + 2 * n);
  int status = cublasStrsv(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, n, a,
                           n, x, 2);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    float sum = -x0[2 * i];
    for (int j = 0; j <= i; ++j)
      sum += a[i * n + j] * x[2 * j];
    expect("trsv", fabs(sum), 1e-4);
    expect("what lies between the steps", fabs(x[2 * i + 1] - x0[2 * i + 1]), 0);
  }
  for (int i = 0; i < n; ++i)
    x[i] = float(i), y[i] = float(2 - i);
  const float cosine = 0.6f, sine = 0.8f;
  status |= cublasSrot(handle, n, x, 1, y, -1, &cosine, &sine);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    const float other = float(2 - (n - 1 - i));
    expect("rot", fabs(x[i] - (0.6f * i + 0.8f * other)), 1e-5);
    expect("rot", fabs(y[n - 1 - i] - (0.6f * other - 0.8f * i)), 1e-5);
  }
  expect("status", status, 0);
}

int main() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
    return puts("FAIL"), 1;
  factors(handle);
  steps(handle);
  cublasDestroy(handle);
  puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
