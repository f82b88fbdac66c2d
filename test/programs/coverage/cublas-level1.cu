// SPDX-License-Identifier: Apache-2.0
// COVERS: cublas, cublas: level 1
// FLAGS: -lcublas
// saxpy, sscal, ddot, dnrm2, dasum, idamax and dcopy with strides. Arguments: n.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>
#include <cuda_runtime.h>

#define CUDA_CHECK(err)                                                                            \
  do {                                                                                             \
    cudaError_t err_ = (err);                                                                      \
    if (err_ != cudaSuccess) {                                                                     \
      printf("CUDA error %d at %s:%d\nFAIL\n", err_, __FILE__, __LINE__);                          \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)
#define CUBLAS_CHECK(err)                                                                          \
  do {                                                                                             \
    cublasStatus_t err_ = (err);                                                                   \
    if (err_ != CUBLAS_STATUS_SUCCESS) {                                                           \
      printf("cublas error %d at %s:%d\nFAIL\n", err_, __FILE__, __LINE__);                        \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  std::vector<float> x(n), y(n);
  std::vector<double> a(2 * n), b(n);
  for (int i = 0; i < n; ++i) {
    x[i] = (float)(i % 17);
    y[i] = (float)(i % 5);
    a[2 * i] = i % 23 - 11;
    a[2 * i + 1] = 1e6; // skipped by the stride
    b[i] = i % 7;
  }
  a[2 * (n / 3)] = -50;
  cublasHandle_t handle;
  CUBLAS_CHECK(cublasCreate(&handle));
  float *dx, *dy;
  double *da, *db;
  CUDA_CHECK(cudaMalloc(&dx, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&dy, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&da, 2 * n * sizeof(double)));
  CUDA_CHECK(cudaMalloc(&db, n * sizeof(double)));
  CUBLAS_CHECK(cublasSetVector(n, sizeof(float), x.data(), 1, dx, 1));
  CUBLAS_CHECK(cublasSetVector(n, sizeof(float), y.data(), 1, dy, 1));
  CUDA_CHECK(cudaMemcpy(da, a.data(), 2 * n * sizeof(double), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(db, b.data(), n * sizeof(double), cudaMemcpyHostToDevice));
  const float alpha = 2.5f, scale = -2.0f;
  CUBLAS_CHECK(cublasSaxpy(handle, n, &alpha, dx, 1, dy, 1));
  CUBLAS_CHECK(cublasSscal(handle, n, &scale, dy, 1));
  double dot, norm, sum;
  int place;
  CUBLAS_CHECK(cublasDdot(handle, n, da, 2, db, 1, &dot));
  CUBLAS_CHECK(cublasDnrm2(handle, n, da, 2, &norm));
  CUBLAS_CHECK(cublasDasum(handle, n, da, 2, &sum));
  CUBLAS_CHECK(cublasIdamax(handle, n, da, 2, &place));
  CUBLAS_CHECK(cublasDcopy(handle, n, da, 2, db, 1));
  std::vector<float> got(n);
  std::vector<double> copy(n);
  CUBLAS_CHECK(cublasGetVector(n, sizeof(float), dy, 1, got.data(), 1));
  CUDA_CHECK(cudaMemcpy(copy.data(), db, n * sizeof(double), cudaMemcpyDeviceToHost));
  double wantDot = 0, squares = 0, wantSum = 0;
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    wantDot += a[2 * i] * b[i];
    squares += a[2 * i] * a[2 * i];
    wantSum += fabs(a[2 * i]);
    bad += got[i] != scale * (alpha * x[i] + y[i]) || copy[i] != a[2 * i];
  }
  bool ok = bad == 0 && dot == wantDot && fabs(norm - sqrt(squares)) < 1e-9 * norm &&
            sum == wantSum && place == n / 3 + 1;
  printf("dot %g (%g), norm %.6g, sum %g (%g), largest at %d\n", dot, wantDot, norm, sum, wantSum,
         place);
  cudaFree(dx), cudaFree(dy), cudaFree(da), cudaFree(db);
  CUBLAS_CHECK(cublasDestroy(handle));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
