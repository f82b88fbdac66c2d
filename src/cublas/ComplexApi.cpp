// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS: products of complex matrices.
#include "cublas/CublasCall.h"
#include "cublas/Shapes.h"

#include <complex>

namespace heddle::cublas {
namespace {

/// op(A): as it lies, transposed, or transposed and conjugated.
template <class T> struct ComplexMatrix {
  const std::complex<T>* data;
  long ld;
  cublasOperation_t trans;

  std::complex<T> at(long row, long column) const {
    if (trans == CUBLAS_OP_N)
      return data[row + column * ld];
    const std::complex<T> value = data[column + row * ld];
    return trans == CUBLAS_OP_C ? std::conj(value) : value;
  }
};

template <class T> struct ComplexProduct {
  int m, n, k;
  std::complex<T> alpha, beta;

  void compute(ComplexMatrix<T> a, ComplexMatrix<T> b, std::complex<T>* c, long ldc) const {
    const std::complex<T> zero(0);
    for (long j = 0; j < n; ++j)
      for (long i = 0; i < m; ++i) {
        std::complex<T> sum = zero;
        for (long p = 0; p < k && alpha != zero; ++p)
          sum += a.at(i, p) * b.at(p, j);
        std::complex<T>& to = c[i + j * ldc];
        to = alpha * sum + (beta == zero ? zero : beta * to);
      }
  }
};

/// Where the matrices of several products lie.
template <class T> struct ComplexOperands {
  const T* a;
  int lda;
  long long strideA;
  const T* b;
  int ldb;
  long long strideB;
  T* c;
  int ldc;
  long long strideC;
};

template <class Real, class T>
cublasStatus_t multiply(cublasHandle_t handle, const char* name, cublasOperation_t transa,
                        cublasOperation_t transb, int m, int n, int k, const T* alpha,
                        const T* beta, const ComplexOperands<T>& all, int count) {
  const Shape left = stored(transa, m, k), right = stored(transb, k, n);
  const bool valid = m >= 0 && n >= 0 && k >= 0 && count >= 0 && fits(all.lda, left) &&
                     fits(all.ldb, right) && fits(all.ldc, {m, n}) && alpha != nullptr &&
                     beta != nullptr;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (m == 0 || n == 0)
      return;
    const T factor = arguments.scalar(alpha, "alpha"), kept = arguments.scalar(beta, "beta");
    const ComplexProduct<Real> product{m, n, k, {factor.x, factor.y}, {kept.x, kept.y}};
    for (long i = 0; i < count; ++i) {
      const T *const a = all.a + i * all.strideA, *const b = all.b + i * all.strideB;
      T* const c = all.c + i * all.strideC;
      arguments.matrix(a, left.rows, left.columns, all.lda, "A");
      arguments.matrix(b, right.rows, right.columns, all.ldb, "B");
      arguments.matrix(c, m, n, all.ldc, "C");
      // A complex number of C++ lies as two numbers, the real one first, as CUDA's does.
      product.compute({reinterpret_cast<const std::complex<Real>*>(a), all.lda, transa},
                      {reinterpret_cast<const std::complex<Real>*>(b), all.ldb, transb},
                      reinterpret_cast<std::complex<Real>*>(c), all.ldc);
    }
  });
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define HEDDLE_COMPLEX_GEMM(S, T, Real)                                                            \
  HEDDLE_API cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t transa,       \
                                            cublasOperation_t transb, int m, int n, int k,         \
                                            const T* alpha, const T* A, int lda, const T* B,       \
                                            int ldb, const T* beta, T* C, int ldc) {               \
    return multiply<Real, T>(handle, __func__, transa, transb, m, n, k, alpha, beta,               \
                             {A, lda, 0, B, ldb, 0, C, ldc, 0}, 1);                                \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##gemmStridedBatched(                                         \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* A, int lda, long long int strideA, const T* B, int ldb,      \
      long long int strideB, const T* beta, T* C, int ldc, long long int strideC, int count) {     \
    return multiply<Real, T>(handle, __func__, transa, transb, m, n, k, alpha, beta,               \
                             {A, lda, strideA, B, ldb, strideB, C, ldc, strideC}, count);          \
  }
HEDDLE_COMPLEX_GEMM(C, cuComplex, float)
HEDDLE_COMPLEX_GEMM(Z, cuDoubleComplex, double)
#undef HEDDLE_COMPLEX_GEMM
