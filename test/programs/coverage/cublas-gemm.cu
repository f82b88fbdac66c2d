// SPDX-License-Identifier: Apache-2.0
// COVERS: cublas, cublas: gemm, events
// FLAGS: -lcublas
// sgemm and dgemm in all four transpositions, with leading dimensions larger than needed.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>
#include <cuda_runtime.h>

template <typename T>
cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                    int k, const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta,
                    T* C, int ldc);
template <>
cublasStatus_t gemm<float>(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                           int n, int k, const float* alpha, const float* A, int lda,
                           const float* B, int ldb, const float* beta, float* C, int ldc) {
  return cublasSgemm(h, ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}
template <>
cublasStatus_t gemm<double>(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                            int n, int k, const double* alpha, const double* A, int lda,
                            const double* B, int ldb, const double* beta, double* C, int ldc) {
  return cublasDgemm(h, ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

// Small whole numbers: exact in any order of sums.
template <typename T> int test(cublasHandle_t handle, bool ta, bool tb, int m, int n, int k) {
  int ar = ta ? k : m, ac = ta ? m : k, br = tb ? n : k, bc = tb ? k : n, lda = ar + 3,
      ldb = br + 1, ldc = m + 2;
  std::vector<T> A(lda * ac), B(ldb * bc), C(ldc * n), got(ldc * n);
  for (size_t i = 0; i < A.size(); ++i)
    A[i] = (T)((int)(i * 7 % 9) - 4);
  for (size_t i = 0; i < B.size(); ++i)
    B[i] = (T)((int)(i * 5 % 7) - 3);
  for (size_t i = 0; i < C.size(); ++i)
    C[i] = (T)(i % 3);
  T *dA, *dB, *dC, alpha = 2, beta = 3;
  cudaMalloc(&dA, A.size() * sizeof(T));
  cudaMalloc(&dB, B.size() * sizeof(T));
  cudaMalloc(&dC, C.size() * sizeof(T));
  cudaMemcpy(dA, A.data(), A.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(dB, B.data(), B.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(dC, C.data(), C.size() * sizeof(T), cudaMemcpyHostToDevice);
  cublasStatus_t status =
      gemm<T>(handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k,
              &alpha, dA, lda, dB, ldb, &beta, dC, ldc);
  cudaError_t copied = cudaMemcpy(got.data(), dC, C.size() * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(dA), cudaFree(dB), cudaFree(dC);
  int bad = status != CUBLAS_STATUS_SUCCESS || copied != cudaSuccess;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < ldc; ++i) {
      T want = C[j * ldc + i];
      if (i < m) {
        T sum = 0;
        for (int p = 0; p < k; ++p)
          sum += (ta ? A[i * lda + p] : A[p * lda + i]) * (tb ? B[p * ldb + j] : B[j * ldb + p]);
        want = alpha * sum + beta * want;
      }
      bad += got[j * ldc + i] != want;
    }
  if (bad)
    printf("%s %c%c: %d wrong\n", sizeof(T) == 4 ? "sgemm" : "dgemm", ta ? 'T' : 'N',
           tb ? 'T' : 'N', bad);
  return bad;
}

int main(int argc, char** argv) {
  int m = argc > 1 ? atoi(argv[1]) : 37, n = argc > 2 ? atoi(argv[2]) : 29,
      k = argc > 3 ? atoi(argv[3]) : 41;
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
    return puts("FAIL"), 1;
  cudaEvent_t start, stop;
  cudaEventCreate(&start), cudaEventCreate(&stop);
  cudaEventRecord(start);
  int bad = 0;
  for (int t = 0; t < 4; ++t) {
    bad += test<float>(handle, t & 1, t & 2, m, n, k);
    bad += test<double>(handle, t & 1, t & 2, m, n, k);
  }
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms = -1;
  cudaEventElapsedTime(&ms, start, stop);
  cudaEventDestroy(start), cudaEventDestroy(stop);
  cublasDestroy(handle);
  printf("%s\n", bad == 0 && ms >= 0 ? "PASS" : "FAIL");
  return bad == 0 && ms >= 0 ? 0 : 1;
}
