// SPDX-License-Identifier: Apache-2.0
// COVERS: cublas, cublas: trsm and syrk
// FLAGS: -lcublas
// A triangular system with many right sides, the product with its matrix, and a symmetric update.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 30, r = argc > 2 ? atoi(argv[2]) : 7;
  std::vector<double> L(n * n), B(n * r), X(n * r), back(n * r), S(n * n, 0.0), got(n * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      L[j * n + i] = i < j ? 1e9
                     : i == j
                         ? 4 + i % 3
                         : (double)((i * 5 + j * 3) % 7 - 3) / 8; // the upper half must not count
  for (int i = 0; i < n * r; ++i)
    B[i] = i % 10 - 4;
  double *dL, *dB, *dS, one = 1, zero = 0;
  cublasHandle_t handle;
  bool ok = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS && !cudaMalloc(&dL, n * n * 8) &&
            !cudaMalloc(&dB, n * r * 8) && !cudaMalloc(&dS, n * n * 8);
  if (!ok)
    return puts("FAIL"), 1;
  cudaMemcpy(dL, L.data(), n * n * 8, cudaMemcpyHostToDevice);
  cudaMemcpy(dB, B.data(), n * r * 8, cudaMemcpyHostToDevice);
  cudaMemcpy(dS, S.data(), n * n * 8, cudaMemcpyHostToDevice);
  ok = cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                   CUBLAS_DIAG_NON_UNIT, n, r, &one, dL, n, dB, n) == CUBLAS_STATUS_SUCCESS;
  cudaMemcpy(X.data(), dB, n * r * 8, cudaMemcpyDeviceToHost);
  ok = ok &&
       cublasDtrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                   CUBLAS_DIAG_NON_UNIT, n, r, &one, dL, n, dB, n, dB, n) == CUBLAS_STATUS_SUCCESS;
  cudaMemcpy(back.data(), dB, n * r * 8, cudaMemcpyDeviceToHost);
  ok = ok && cublasDsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, n, r, &one, dB, n, &zero, dS,
                         n) == CUBLAS_STATUS_SUCCESS;
  cudaMemcpy(got.data(), dS, n * n * 8, cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int c = 0; c < r; ++c)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j <= i; ++j)
        sum += L[j * n + i] * X[c * n + j];
      worst = fmax(worst, fmax(fabs(sum - B[c * n + i]), fabs(back[c * n + i] - B[c * n + i])));
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int c = 0; c < r; ++c)
        sum += back[c * n + i] * back[c * n + j];
      worst = fmax(worst, fabs(got[j * n + i] - (i <= j ? sum : 0)));
    }
  cublasDestroy(handle);
  cudaFree(dL), cudaFree(dB), cudaFree(dS);
  ok = ok && worst < 1e-9;
  printf("largest difference %s\n%s\n", worst < 1e-9 ? "below 1e-9" : "too large",
         ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
