// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS, levels 2 and 3: matrices.
#include "cublas/CublasCall.h"
#include "cublas/Gemm.h"
#include "cublas/Shapes.h"
#include "cublas/Triangle.h"

#include <algorithm>
#include <vector>

namespace heddle::cublas {
namespace {

template <class T> struct Vectors {
  const T* x;
  int incx;
  T* y;
  int incy;
};

template <class T>
cublasStatus_t gemv(cublasHandle_t handle, const char* name, cublasOperation_t trans, int m, int n,
                    const T* alpha, const T* a, int lda, const T* beta, Vectors<T> v) {
  const bool valid = m >= 0 && n >= 0 && lda >= std::max(1, m) && v.incx != 0 && v.incy != 0 &&
                     alpha != nullptr && beta != nullptr;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (m == 0 || n == 0)
      return;
    const Shape shape = stored(trans, m, n);
    const T factor = arguments.scalar(alpha, "alpha"), kept = arguments.scalar(beta, "beta");
    arguments.matrix(a, m, n, lda, "A");
    arguments.vector(v.x, shape.columns, v.incx, "x");
    arguments.vector(v.y, shape.rows, v.incy, "y");
    const T* const x = v.x + stepStart(shape.columns, v.incx);
    T* const y = v.y + stepStart(shape.rows, v.incy);
    const Matrix<T> matrix{a, lda, trans != CUBLAS_OP_N};
    std::vector<T> sums(std::size_t(shape.rows), T(0));
    if (trans == CUBLAS_OP_N)
      for (long j = 0; j < n; ++j)
        for (long i = 0; i < m; ++i)
          sums[std::size_t(i)] += matrix.at(i, j) * x[j * v.incx];
    else
      for (long i = 0; i < n; ++i)
        for (long j = 0; j < m; ++j)
          sums[std::size_t(i)] += matrix.at(i, j) * x[j * v.incx];
    for (long i = 0; i < shape.rows; ++i)
      y[i * v.incy] = times(factor, sums[std::size_t(i)]) + times(kept, y[i * v.incy]);
  });
}

template <class T>
cublasStatus_t ger(cublasHandle_t handle, const char* name, int m, int n, const T* alpha,
                   const T* x, int incx, const T* y, int incy, T* a, int lda) {
  const bool valid =
      m >= 0 && n >= 0 && lda >= std::max(1, m) && incx != 0 && incy != 0 && alpha != nullptr;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (m == 0 || n == 0)
      return;
    const T factor = arguments.scalar(alpha, "alpha");
    arguments.vector(x, m, incx, "x");
    arguments.vector(y, n, incy, "y");
    arguments.matrix(a, m, n, lda, "A");
    const T* const left = x + stepStart(m, incx);
    const T* const right = y + stepStart(n, incy);
    for (long j = 0; j < n; ++j)
      for (long i = 0; i < m; ++i)
        a[i + j * lda] += factor * left[i * incx] * right[j * incy];
  });
}

/// One product, and where its matrices lie.
template <class T> struct Product {
  cublasOperation_t transa, transb;
  int m, n, k;
  int lda, ldb, ldc;

  bool valid() const {
    return m >= 0 && n >= 0 && k >= 0 && fits(lda, stored(transa, m, k)) &&
           fits(ldb, stored(transb, k, n)) && fits(ldc, {m, n});
  }
  void compute(const Arguments& arguments, T alpha, const T* a, const T* b, T beta, T* c) const {
    const Shape left = stored(transa, m, k), right = stored(transb, k, n);
    if (alpha != T(0) && k > 0) {
      arguments.matrix(a, left.rows, left.columns, lda, "A");
      arguments.matrix(b, right.rows, right.columns, ldb, "B");
    }
    arguments.matrix(c, m, n, ldc, "C");
    gemm<T>(m, n, k, k == 0 ? T(0) : alpha, {a, lda, transa != CUBLAS_OP_N},
            {b, ldb, transb != CUBLAS_OP_N}, beta, c, ldc);
  }
};

/// Several products; `pointers(i)` gives the three matrices of one.
template <class T, class Pointers>
cublasStatus_t multiply(cublasHandle_t handle, const char* name, const Product<T>& product,
                        const T* alpha, const T* beta, int count, Pointers pointers) {
  const bool valid = product.valid() && count >= 0 && alpha != nullptr && beta != nullptr;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (product.m == 0 || product.n == 0 || count == 0)
      return;
    const T factor = arguments.scalar(alpha, "alpha"), kept = arguments.scalar(beta, "beta");
    for (long i = 0; i < count; ++i) {
      const auto [a, b, c] = pointers(arguments, i);
      product.compute(arguments, factor, a, b, kept, c);
    }
  });
}

template <class T> struct Three {
  const T* a;
  const T* b;
  T* c;
};

constexpr long syrkBlock = 64;

/// A block of C that the diagonal crosses: computed whole, its own triangle kept.
template <class T>
void diagonalBlock(bool lower, long size, long k, T alpha, Matrix<T> rows, Matrix<T> columns,
                   T beta, T* c, long ldc) {
  std::vector<T> full(std::size_t(size * size));
  gemm<T>(size, size, k, alpha, rows, columns, T(0), full.data(), size);
  for (long j = 0; j < size; ++j)
    for (long i = lower ? j : 0; i < (lower ? size : j + 1); ++i)
      c[i + j * ldc] = full[std::size_t(i + j * size)] + times(beta, c[i + j * ldc]);
}

template <class T>
cublasStatus_t syrk(cublasHandle_t handle, const char* name, cublasFillMode_t uplo,
                    cublasOperation_t trans, int n, int k, const T* alpha, const T* a, int lda,
                    const T* beta, T* c, int ldc) {
  const Shape shape = stored(trans, n, k);
  const bool valid = n >= 0 && k >= 0 && fits(lda, shape) && fits(ldc, {n, n}) &&
                     alpha != nullptr && beta != nullptr && uplo != CUBLAS_FILL_MODE_FULL;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (n == 0)
      return;
    const T factor = k == 0 ? T(0) : arguments.scalar(alpha, "alpha");
    const T kept = arguments.scalar(beta, "beta");
    arguments.matrix(a, shape.rows, shape.columns, lda, "A");
    arguments.matrix(c, n, n, ldc, "C");
    const bool transposed = trans != CUBLAS_OP_N, lower = uplo == CUBLAS_FILL_MODE_LOWER;
    const auto rowsFrom = [&](long i, bool turned) {
      return Matrix<T>{a + (transposed ? i * lda : i), lda, transposed != turned};
    };
    for (long j = 0; j < n; j += syrkBlock) {
      const long columns = std::min<long>(syrkBlock, n - j);
      diagonalBlock(lower, columns, k, factor, rowsFrom(j, false), rowsFrom(j, true), kept,
                    c + j + j * ldc, ldc);
      const long first = lower ? j + columns : 0, last = lower ? n : j;
      gemm<T>(last - first, columns, k, factor, rowsFrom(first, false), rowsFrom(j, true), kept,
              c + first + j * ldc, ldc);
    }
  });
}

/// X * A = B, column by column of X.
template <class T> void solveRows(const Triangle<T>& triangle, long m, T* b, long ldb) {
  for (long i = 0; i < triangle.size; ++i) {
    const long column = triangle.order(!triangle.lower, i);
    const long first = triangle.lower ? column + 1 : 0;
    const long last = triangle.lower ? triangle.size : column;
    for (long known = first; known < last; ++known)
      for (long row = 0; row < m; ++row)
        b[row + column * ldb] -= b[row + known * ldb] * triangle.a.at(known, column);
    for (long row = 0; row < m; ++row)
      b[row + column * ldb] /= triangle.diagonal(column);
  }
}

template <class T>
cublasStatus_t trsm(cublasHandle_t handle, const char* name, cublasSideMode_t side,
                    cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m,
                    int n, const T* alpha, const T* a, int lda, T* b, int ldb) {
  const int size = side == CUBLAS_SIDE_LEFT ? m : n;
  const bool valid = m >= 0 && n >= 0 && fits(lda, {size, size}) && fits(ldb, {m, n}) &&
                     alpha != nullptr && uplo != CUBLAS_FILL_MODE_FULL;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (m == 0 || n == 0)
      return;
    const T factor = arguments.scalar(alpha, "alpha");
    arguments.matrix(a, size, size, lda, "A");
    arguments.matrix(b, m, n, ldb, "B");
    for (long j = 0; j < n; ++j)
      for (long i = 0; i < m; ++i)
        b[i + j * ldb] = times(factor, b[i + j * ldb]);
    if (factor == T(0))
      return;
    const bool transposed = trans != CUBLAS_OP_N;
    const Triangle<T> triangle{{a, lda, transposed},
                               (uplo == CUBLAS_FILL_MODE_LOWER) != transposed,
                               diag == CUBLAS_DIAG_UNIT,
                               size};
    if (side == CUBLAS_SIDE_RIGHT)
      return solveRows(triangle, m, b, ldb);
    for (long j = 0; j < n; ++j)
      solveColumn(triangle, b + j * ldb);
  });
}

/// The triangle with zeros in the place of what is not read.
template <class T> std::vector<T> wholeMatrix(const Triangle<T>& triangle) {
  const long size = triangle.size;
  std::vector<T> whole(std::size_t(size * size), T(0));
  for (long column = 0; column < size; ++column) {
    const long first = triangle.lower ? column : 0, last = triangle.lower ? size : column + 1;
    for (long row = first; row < last; ++row)
      whole[std::size_t(row + column * size)] =
          row == column ? triangle.diagonal(row) : triangle.a.at(row, column);
  }
  return whole;
}

/// C may be B: it is computed from a copy.
template <class T>
cublasStatus_t trmm(cublasHandle_t handle, const char* name, cublasSideMode_t side,
                    cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m,
                    int n, const T* alpha, const T* a, int lda, const T* b, int ldb, T* c,
                    int ldc) {
  const bool isLeft = side == CUBLAS_SIDE_LEFT;
  const int size = isLeft ? m : n;
  const bool valid = m >= 0 && n >= 0 && fits(lda, {size, size}) && fits(ldb, {m, n}) &&
                     fits(ldc, {m, n}) && alpha != nullptr && uplo != CUBLAS_FILL_MODE_FULL;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (m == 0 || n == 0)
      return;
    const T factor = arguments.scalar(alpha, "alpha");
    arguments.matrix(a, size, size, lda, "A");
    arguments.matrix(b, m, n, ldb, "B");
    arguments.matrix(c, m, n, ldc, "C");
    const bool transposed = trans != CUBLAS_OP_N;
    const std::vector<T> whole = wholeMatrix<T>({{a, lda, transposed},
                                                 (uplo == CUBLAS_FILL_MODE_LOWER) != transposed,
                                                 diag == CUBLAS_DIAG_UNIT,
                                                 size});
    const std::vector<T> copy(b, b + long(n - 1) * ldb + m);
    const Matrix<T> triangle{whole.data(), size, false}, other{copy.data(), ldb, false};
    gemm<T>(m, n, size, factor, isLeft ? triangle : other, isLeft ? other : triangle, T(0), c, ldc);
  });
}

template <class T>
cublasStatus_t geam(cublasHandle_t handle, const char* name, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, const T* alpha, const T* a, int lda,
                    const T* beta, const T* b, int ldb, T* c, int ldc) {
  const Shape left = stored(transa, m, n), right = stored(transb, m, n);
  const bool valid = m >= 0 && n >= 0 && fits(lda, left) && fits(ldb, right) && fits(ldc, {m, n}) &&
                     alpha != nullptr && beta != nullptr;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (m == 0 || n == 0)
      return;
    const T first = arguments.scalar(alpha, "alpha"), second = arguments.scalar(beta, "beta");
    if (first != T(0))
      arguments.matrix(a, left.rows, left.columns, lda, "A");
    if (second != T(0))
      arguments.matrix(b, right.rows, right.columns, ldb, "B");
    arguments.matrix(c, m, n, ldc, "C");
    const Matrix<T> one{a, lda, transa != CUBLAS_OP_N}, other{b, ldb, transb != CUBLAS_OP_N};
    for (long j = 0; j < n; ++j)
      for (long i = 0; i < m; ++i) {
        const T sum = first == T(0) ? T(0) : first * one.at(i, j);
        c[i + j * ldc] = sum + (second == T(0) ? T(0) : second * other.at(i, j));
      }
  });
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define HEDDLE_MATRICES(S, T)                                                                      \
  HEDDLE_API cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, \
                                            int n, const T* alpha, const T* A, int lda,            \
                                            const T* x, int incx, const T* beta, T* y, int incy) { \
    return gemv<T>(handle, __func__, trans, m, n, alpha, A, lda, beta, {x, incx, y, incy});        \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T* alpha,    \
                                           const T* x, int incx, const T* y, int incy, T* A,       \
                                           int lda) {                                              \
    return ger(handle, __func__, m, n, alpha, x, incx, y, incy, A, lda);                           \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t transa,       \
                                            cublasOperation_t transb, int m, int n, int k,         \
                                            const T* alpha, const T* A, int lda, const T* B,       \
                                            int ldb, const T* beta, T* C, int ldc) {               \
    return multiply<T>(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta, 1, \
                       [&](const Arguments&, long) { return Three<T>{A, B, C}; });                 \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##gemmBatched(                                                \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* const A[], int lda, const T* const B[], int ldb,             \
      const T* beta, T* const C[], int ldc, int count) {                                           \
    return multiply<T>(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta,    \
                       count, [&](const Arguments& arguments, long i) {                            \
                         arguments.array(A + i, 1, "the pointers to A");                           \
                         arguments.array(B + i, 1, "the pointers to B");                           \
                         arguments.array(C + i, 1, "the pointers to C");                           \
                         return Three<T>{A[i], B[i], C[i]};                                        \
                       });                                                                         \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##gemmStridedBatched(                                         \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      int k, const T* alpha, const T* A, int lda, long long int strideA, const T* B, int ldb,      \
      long long int strideB, const T* beta, T* C, int ldc, long long int strideC, int count) {     \
    return multiply<T>(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta,    \
                       count, [&](const Arguments&, long i) {                                      \
                         return Three<T>{A + i * strideA, B + i * strideB, C + i * strideC};       \
                       });                                                                         \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t uplo,          \
                                            cublasOperation_t trans, int n, int k, const T* alpha, \
                                            const T* A, int lda, const T* beta, T* C, int ldc) {   \
    return syrk(handle, __func__, uplo, trans, n, k, alpha, A, lda, beta, C, ldc);                 \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##trsm(cublasHandle_t handle, cublasSideMode_t side,          \
                                            cublasFillMode_t uplo, cublasOperation_t trans,        \
                                            cublasDiagType_t diag, int m, int n, const T* alpha,   \
                                            const T* A, int lda, T* B, int ldb) {                  \
    return trsm(handle, __func__, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb);           \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##trmm(                                                       \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                         \
      cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha, const T* A,    \
      int lda, const T* B, int ldb, T* C, int ldc) {                                               \
    return trmm(handle, __func__, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, C, ldc);   \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##geam(                                                       \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb, T* C, int ldc) {    \
    return geam(handle, __func__, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);      \
  }
HEDDLE_MATRICES(S, float)
HEDDLE_MATRICES(D, double)
