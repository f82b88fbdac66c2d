// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS: symmetric matrices, of which one triangle is read, and diagonal ones.
#include "cublas/CublasCall.h"
#include "cublas/Gemm.h"
#include "cublas/Shapes.h"

#include <vector>

namespace heddle::cublas {
namespace {

/// Both triangles of a matrix, from the one that is stored.
template <class T>
std::vector<T> bothTriangles(cublasFillMode_t uplo, long size, const T* a, long lda) {
  std::vector<T> whole(std::size_t(size * size));
  for (long column = 0; column < size; ++column)
    for (long row = column; row < size; ++row) {
      const T value =
          uplo == CUBLAS_FILL_MODE_LOWER ? a[row + column * lda] : a[column + row * lda];
      whole[std::size_t(row + column * size)] = value;
      whole[std::size_t(column + row * size)] = value;
    }
  return whole;
}

template <class T> struct Symmetric {
  cublasFillMode_t uplo;
  int size;
  const T* a;
  int lda;

  bool valid() const {
    return size >= 0 && fits(lda, {size, size}) && uplo != CUBLAS_FILL_MODE_FULL;
  }
  std::vector<T> read(const Arguments& arguments) const {
    arguments.matrix(a, size, size, lda, "A");
    return bothTriangles(uplo, size, a, lda);
  }
};

template <class T>
cublasStatus_t symm(cublasHandle_t handle, const char* name, cublasSideMode_t side,
                    const Symmetric<T>& a, int m, int n, const T* alpha, const T* b, int ldb,
                    const T* beta, T* c, int ldc) {
  const bool valid = m >= 0 && n >= 0 && a.valid() && fits(ldb, {m, n}) && fits(ldc, {m, n}) &&
                     alpha != nullptr && beta != nullptr;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (m == 0 || n == 0)
      return;
    const T factor = arguments.scalar(alpha, "alpha"), kept = arguments.scalar(beta, "beta");
    const std::vector<T> whole = a.read(arguments);
    arguments.matrix(b, m, n, ldb, "B");
    arguments.matrix(c, m, n, ldc, "C");
    const Matrix<T> square{whole.data(), a.size, false}, other{b, ldb, false};
    if (side == CUBLAS_SIDE_LEFT)
      gemm<T>(m, n, m, factor, square, other, kept, c, ldc);
    else
      gemm<T>(m, n, n, factor, other, square, kept, c, ldc);
  });
}

template <class T>
cublasStatus_t symv(cublasHandle_t handle, const char* name, const Symmetric<T>& a, const T* alpha,
                    const T* x, int incx, const T* beta, T* y, int incy) {
  const bool valid = a.valid() && incx != 0 && incy != 0 && alpha != nullptr && beta != nullptr;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (a.size == 0)
      return;
    const T factor = arguments.scalar(alpha, "alpha"), kept = arguments.scalar(beta, "beta");
    const std::vector<T> whole = a.read(arguments);
    arguments.vector(x, a.size, incx, "x");
    arguments.vector(y, a.size, incy, "y");
    const T* const from = x + stepStart(a.size, incx);
    T* const to = y + stepStart(a.size, incy);
    for (long row = 0; row < a.size; ++row) {
      T sum = 0; // a row of a symmetric matrix is its column, which lies together
      for (long k = 0; k < a.size; ++k)
        sum += whole[std::size_t(k + row * a.size)] * from[k * incx];
      to[row * incy] = times(factor, sum) + times(kept, to[row * incy]);
    }
  });
}

template <class T>
cublasStatus_t syr(cublasHandle_t handle, const char* name, cublasFillMode_t uplo, int n,
                   const T* alpha, const T* x, int incx, T* a, int lda) {
  const bool valid = Symmetric<T>{uplo, n, a, lda}.valid() && incx != 0 && alpha != nullptr;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (n == 0)
      return;
    const T factor = arguments.scalar(alpha, "alpha");
    arguments.vector(x, n, incx, "x");
    arguments.matrix(a, n, n, lda, "A");
    const T* const from = x + stepStart(n, incx);
    const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
    for (long column = 0; column < n; ++column)
      for (long row = lower ? column : 0; row < (lower ? n : column + 1); ++row)
        a[row + column * lda] += factor * from[row * incx] * from[column * incx];
  });
}

/// C = A * diag(x), or diag(x) * A; C may be A.
template <class T>
cublasStatus_t dgmm(cublasHandle_t handle, const char* name, cublasSideMode_t side, int m, int n,
                    const T* a, int lda, const T* x, int incx, T* c, int ldc) {
  const bool valid = m >= 0 && n >= 0 && fits(lda, {m, n}) && fits(ldc, {m, n});
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (m == 0 || n == 0)
      return;
    const bool left = side == CUBLAS_SIDE_LEFT;
    const int length = left ? m : n;
    arguments.matrix(a, m, n, lda, "A");
    arguments.vector(x, length, incx, "x");
    arguments.matrix(c, m, n, ldc, "C");
    const T* const factors = x + stepStart(length, incx);
    for (long column = 0; column < n; ++column)
      for (long row = 0; row < m; ++row)
        c[row + column * ldc] = a[row + column * lda] * factors[(left ? row : column) * incx];
  });
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define HEDDLE_CUBLAS(S, T)                                                                        \
  HEDDLE_API cublasStatus_t cublas##S##symm(                                                       \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,           \
      const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc) {    \
    const Symmetric<T> a{uplo, side == CUBLAS_SIDE_LEFT ? m : n, A, lda};                          \
    return symm<T>(handle, __func__, side, a, m, n, alpha, B, ldb, beta, C, ldc);                  \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t uplo, int n,   \
                                            const T* alpha, const T* A, int lda, const T* x,       \
                                            int incx, const T* beta, T* y, int incy) {             \
    return symv<T>(handle, __func__, {uplo, n, A, lda}, alpha, x, incx, beta, y, incy);            \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##syr(cublasHandle_t handle, cublasFillMode_t uplo, int n,    \
                                           const T* alpha, const T* x, int incx, T* A, int lda) {  \
    return syr(handle, __func__, uplo, n, alpha, x, incx, A, lda);                                 \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m,   \
                                            int n, const T* A, int lda, const T* x, int incx,      \
                                            T* C, int ldc) {                                       \
    return dgmm(handle, __func__, side, m, n, A, lda, x, incx, C, ldc);                            \
  }
HEDDLE_CUBLAS(S, float)
HEDDLE_CUBLAS(D, double)
#undef HEDDLE_CUBLAS
