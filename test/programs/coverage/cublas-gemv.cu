// SPDX-License-Identifier: Apache-2.0
// COVERS: cublas, cublas: level 2
// FLAGS: -lcublas
// Matrix times vector, plain and transposed, a rank-one update, and scalars on the device.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>

#define IDX2C(i, j, ld) ((j) * (ld) + (i))

int main(int argc, char** argv) {
  int m = argc > 1 ? atoi(argv[1]) : 60, n = argc > 2 ? atoi(argv[2]) : 40;
  std::vector<double> A(m * n), x(n), y(m), z(n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      A[IDX2C(i, j, m)] = (i * 3 + j * 5) % 11 - 5;
  for (int j = 0; j < n; ++j)
    x[j] = j % 4 - 1;
  for (int i = 0; i < m; ++i)
    y[i] = i % 3;
  double *dA, *dx, *dy, *dz, *scalars;
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS || cudaMalloc(&dA, m * n * 8) ||
      cudaMalloc(&dx, n * 8) || cudaMalloc(&dy, m * 8) || cudaMalloc(&dz, n * 8) ||
      cudaMalloc(&scalars, 16)) {
    puts("FAIL");
    return 1;
  }
  cublasSetMatrix(m, n, sizeof(double), A.data(), m, dA, m);
  cudaMemcpy(dx, x.data(), n * 8, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), m * 8, cudaMemcpyHostToDevice);
  double alpha = 2, beta = -1, one = 1, zero = 0;
  bool ok = cublasDgemv(handle, CUBLAS_OP_N, m, n, &alpha, dA, m, dx, 1, &beta, dy, 1) ==
            CUBLAS_STATUS_SUCCESS;
  double onDevice[2] = {one, zero};
  cudaMemcpy(scalars, onDevice, 16, cudaMemcpyHostToDevice);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  ok = ok && cublasDgemv(handle, CUBLAS_OP_T, m, n, scalars, dA, m, dy, 1, scalars + 1, dz, 1) ==
                 CUBLAS_STATUS_SUCCESS;
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  ok = ok && cublasDger(handle, m, n, &one, dy, 1, dx, 1, dA, m) == CUBLAS_STATUS_SUCCESS;
  std::vector<double> gy(m), gz(n), gA(m * n);
  cudaMemcpy(gy.data(), dy, m * 8, cudaMemcpyDeviceToHost);
  cudaMemcpy(gz.data(), dz, n * 8, cudaMemcpyDeviceToHost);
  cublasGetMatrix(m, n, sizeof(double), dA, m, gA.data(), m);
  int bad = 0;
  for (int i = 0; i < m; ++i) {
    double s = 0;
    for (int j = 0; j < n; ++j)
      s += A[IDX2C(i, j, m)] * x[j];
    y[i] = alpha * s + beta * y[i];
    bad += gy[i] != y[i];
  }
  for (int j = 0; j < n; ++j) {
    double s = 0;
    for (int i = 0; i < m; ++i) {
      s += A[IDX2C(i, j, m)] * y[i];
      bad += gA[IDX2C(i, j, m)] != A[IDX2C(i, j, m)] + y[i] * x[j];
    }
    bad += gz[j] != s;
  }
  cudaFree(dA), cudaFree(dx), cudaFree(dy), cudaFree(dz), cudaFree(scalars);
  cublasDestroy(handle);
  printf("%d wrong\n%s\n", bad, ok && !bad ? "PASS" : "FAIL");
  return ok && !bad ? 0 : 1;
}
