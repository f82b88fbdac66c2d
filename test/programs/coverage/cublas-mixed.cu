// SPDX-License-Identifier: Apache-2.0
// COVERS: cublas, cublas: gemm of other types
// FLAGS: -lcublas
// Products whose numbers are narrower than what they are computed in, one after the other in
// memory, and complex ones with a conjugated factor.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

static int failures = 0;
static cublasHandle_t handle;

static void expect(const char* what, double worst, double bound) {
  if (!(worst <= bound)) {
    printf("%s: off by %g\n", what, worst);
    ++failures;
  }
}
static void succeed(const char* what, int status) {
  if (status != 0) {
    printf("%s: status %d\n", what, status);
    ++failures;
  }
}

template <class T> T* upload(const std::vector<T>& values) {
  T* device = nullptr;
  succeed("cudaMalloc", cudaMalloc(&device, values.size() * sizeof(T)));
  cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
template <class T> std::vector<T> download(const T* device, size_t count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}

static double number(double value) { return value; }
static double number(__half value) { return __half2float(value); }
static double number(__nv_bfloat16 value) { return __bfloat162float(value); }

/// C = alpha * A^T * B + beta * C for `count` products of m by n, k in between.
template <class From, class To, class Scale>
void mixed(const char* what, cudaDataType from, cudaDataType to, cublasComputeType_t compute,
           double bound) {
  const int m = 9, n = 7, k = 20, count = 3, ldc = m + 2;
  std::vector<From> a(m * k * count), b(k * n * count);
  std::vector<To> c(ldc * n * count);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = From(float(int(i * 7 % 11) - 5));
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = From(float(int(i * 5 % 13) - 6));
  for (size_t i = 0; i < c.size(); ++i)
    c[i] = To(float(i % 5));
  From *dA = upload(a), *dB = upload(b);
  To* dC = upload(c);
  const Scale alpha = Scale(2.0f), beta = Scale(3.0f);
  succeed(what, cublasGemmStridedBatchedEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, dA,
                                           from, k, m * k, dB, from, k, k * n, &beta, dC, to, ldc,
                                           ldc * n, count, compute, CUBLAS_GEMM_DEFAULT));
  succeed(what, cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, dA, from, k, dB,
                             from, k, &beta, dC, to, ldc, compute, CUBLAS_GEMM_DEFAULT));
  const std::vector<To> got = download(dC, c.size());
  double worst = 0;
  for (int p = 0; p < count; ++p)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < ldc; ++i) {
        const int at = (p * n + j) * ldc + i;
        double want = number(c[at]), sum = 0;
        for (int q = 0; q < k && i < m; ++q)
          sum += number(a[(p * m + i) * k + q]) * number(b[(p * n + j) * k + q]);
        for (int turn = 0; turn < (i >= m ? 0 : p == 0 ? 2 : 1); ++turn)
          want = 2 * sum + 3 * want;
        worst = fmax(worst, fabs(number(got[at]) - want) / (1 + fabs(want)));
      }
  expect(what, worst, bound);
  cudaFree(dA), cudaFree(dB), cudaFree(dC);
}

static void complexes() {
  const int n = 6;
  std::vector<cuDoubleComplex> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = make_cuDoubleComplex(i % 5 - 2, i % 3);
    b[i] = make_cuDoubleComplex(i % 4, 1 - i % 7);
    c[i] = make_cuDoubleComplex(1, i);
  }
  cuDoubleComplex *dA = upload(a), *dB = upload(b), *dC = upload(c);
  const cuDoubleComplex alpha = make_cuDoubleComplex(0.5, 1), beta = make_cuDoubleComplex(0, -1);
  succeed("cublasZgemm", cublasZgemm(handle, CUBLAS_OP_C, CUBLAS_OP_T, n, n, n, &alpha, dA, n, dB,
                                     n, &beta, dC, n));
  const std::vector<cuDoubleComplex> got = download(dC, c.size());
  double worst = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      cuDoubleComplex sum = make_cuDoubleComplex(0, 0);
      for (int p = 0; p < n; ++p)
        sum = cuCadd(sum, cuCmul(cuConj(a[i * n + p]), b[p * n + j]));
      const cuDoubleComplex want = cuCadd(cuCmul(alpha, sum), cuCmul(beta, c[j * n + i]));
      worst = fmax(worst, cuCabs(cuCsub(want, got[j * n + i])));
    }
  expect("cublasZgemm", worst, 1e-12);
  cudaFree(dA), cudaFree(dB), cudaFree(dC);
}

int main() {
  succeed("cublasCreate", cublasCreate(&handle));
  mixed<__half, float, float>("half to float", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-6);
  mixed<__half, __half, float>("half", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, 2e-3);
  mixed<__half, __half, __half>("half in half", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, 1e-2);
  mixed<__nv_bfloat16, __nv_bfloat16, float>("bfloat16", CUDA_R_16BF, CUDA_R_16BF,
                                             CUBLAS_COMPUTE_32F, 2e-2);
  mixed<signed char, int, int>("int8", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 0);
  mixed<double, double, double>("double", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, 1e-14);
  complexes();
  succeed("cublasDestroy", cublasDestroy(handle));
  puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
