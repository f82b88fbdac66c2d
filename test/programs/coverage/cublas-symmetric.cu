// SPDX-License-Identifier: Apache-2.0
// FLAGS: -lcublas
// COVERS: cublas: symmetric and diagonal
// Symmetric matrices of which one triangle is stored, and scaling by a diagonal.
#include <cmath>
#include <cstdio>
#include <vector>

#include <cublas_v2.h>
#include <cuda_runtime.h>

static bool fine = true;
static void expect(const char* what, const std::vector<double>& got,
                   const std::vector<double>& want) {
  double worst = 0;
  for (size_t i = 0; i < want.size(); ++i)
    worst = std::fmax(worst, std::fabs(got[i] - want[i]));
  printf("%-12s off by %.2e\n", what, worst);
  fine &= worst < 1e-12;
}

static double* upload(const std::vector<double>& values) {
  double* data = nullptr;
  fine &= cudaMalloc(&data, values.size() * sizeof(double)) == cudaSuccess;
  cudaMemcpy(data, values.data(), values.size() * sizeof(double), cudaMemcpyHostToDevice);
  return data;
}

static std::vector<double> download(const double* data, size_t count) {
  std::vector<double> values(count);
  cudaMemcpy(values.data(), data, count * sizeof(double), cudaMemcpyDeviceToHost);
  return values;
}

int main() {
  const int n = 5, m = 3;
  // The upper triangle holds what nobody may read.
  std::vector<double> a(n * n, 1e300), full(n * n), b(m * n), x(n);
  for (int c = 0; c < n; ++c)
    for (int r = c; r < n; ++r)
      a[r + c * n] = full[r + c * n] = full[c + r * n] = 1.0 + r * 0.5 - c * 0.25;
  for (int i = 0; i < m * n; ++i)
    b[i] = i % 7 - 3;
  for (int i = 0; i < n; ++i)
    x[i] = 1 + i;
  double *dA = upload(a), *dB = upload(b), *dX = upload(x), *dC = upload(b), *dY = upload(x);
  cublasHandle_t handle;
  fine &= cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;
  const double two = 2, one = 1;

  std::vector<double> want(m * n);
  for (int c = 0; c < n; ++c)
    for (int r = 0; r < m; ++r) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += b[r + k * m] * full[k + c * n];
      want[r + c * m] = 2 * sum + b[r + c * m];
    }
  fine &= cublasDsymm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, m, n, &two, dA, n, dB, m,
                      &one, dC, m) == CUBLAS_STATUS_SUCCESS;
  expect("symm", download(dC, m * n), want);

  std::vector<double> product(n);
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k < n; ++k)
      product[r] += 2 * full[r + k * n] * x[k];
    product[r] += x[r];
  }
  fine &= cublasDsymv(handle, CUBLAS_FILL_MODE_LOWER, n, &two, dA, n, dX, 1, &one, dY, 1) ==
          CUBLAS_STATUS_SUCCESS;
  expect("symv", download(dY, n), product);

  std::vector<double> updated = a;
  for (int c = 0; c < n; ++c)
    for (int r = c; r < n; ++r)
      updated[r + c * n] += 2 * x[r] * x[c];
  fine &= cublasDsyr(handle, CUBLAS_FILL_MODE_LOWER, n, &two, dX, 1, dA, n) ==
          CUBLAS_STATUS_SUCCESS;
  expect("syr", download(dA, n * n), updated);

  for (int c = 0; c < n; ++c)
    for (int r = 0; r < m; ++r)
      want[r + c * m] = b[r + c * m] * x[c];
  fine &= cublasDdgmm(handle, CUBLAS_SIDE_RIGHT, m, n, dB, m, dX, 1, dC, m) ==
          CUBLAS_STATUS_SUCCESS;
  expect("dgmm", download(dC, m * n), want);
  fine &= cublasDsymm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, m, n, &two, dA, 1, dB, m,
                      &one, dC, m) == CUBLAS_STATUS_INVALID_VALUE;
  cublasDestroy(handle);
  puts(fine ? "PASS" : "FAIL");
  return !fine;
}
