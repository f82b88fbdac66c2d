// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS: a triangular system with one right side, and many small matrices at once: their LU
// factors, the systems that those solve, and inverses.
#include "cublas/CublasCall.h"
#include "cublas/Shapes.h"
#include "cublas/Triangle.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace heddle::cublas {
namespace {

template <class T>
cublasStatus_t trsv(cublasHandle_t handle, const char* name, cublasFillMode_t uplo,
                    cublasOperation_t trans, cublasDiagType_t diag, int n, const T* a, int lda,
                    T* x, int incx) {
  const bool valid = n >= 0 && fits(lda, {n, n}) && incx != 0 && uplo != CUBLAS_FILL_MODE_FULL;
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (n == 0)
      return;
    arguments.matrix(a, n, n, lda, "A");
    arguments.vector(x, n, incx, "x");
    const bool transposed = trans != CUBLAS_OP_N;
    const Triangle<T> triangle{{a, lda, transposed},
                               (uplo == CUBLAS_FILL_MODE_LOWER) != transposed,
                               diag == CUBLAS_DIAG_UNIT,
                               n};
    T* const first = x + stepStart(n, incx);
    std::vector<T> column(std::size_t(n), T(0));
    for (long i = 0; i < n; ++i)
      column[std::size_t(i)] = first[i * incx];
    solveColumn(triangle, column.data());
    for (long i = 0; i < n; ++i)
      first[i * incx] = column[std::size_t(i)];
  });
}

/// One matrix with its factors in place: L without its diagonal of ones, and U.
template <class T> struct Factors {
  T* a;
  long ld;
  int n;
  int* pivots; ///< from 1; null: rows stay where they are

  T& at(long row, long column) const { return a[row + column * ld]; }

  void swapRows(long one, long other) const {
    for (long column = 0; column < n; ++column)
      std::swap(at(one, column), at(other, column));
  }
  long pivotOf(long column) const {
    long best = column;
    for (long row = column + 1; row < n; ++row)
      if (std::fabs(at(row, column)) > std::fabs(at(best, column)))
        best = row;
    return best;
  }
  /// 0, or the first place of the diagonal where U is 0, from 1.
  int factor() const {
    int singular = 0;
    for (long k = 0; k < n; ++k) {
      if (pivots != nullptr) {
        const long pivot = pivotOf(k);
        pivots[k] = int(pivot + 1);
        if (pivot != k)
          swapRows(k, pivot);
      }
      if (at(k, k) == T(0)) {
        singular = singular == 0 ? int(k + 1) : singular;
        continue;
      }
      eliminate(k);
    }
    return singular;
  }

private:
  void eliminate(long k) const {
    for (long row = k + 1; row < n; ++row)
      at(row, k) /= at(k, k);
    for (long column = k + 1; column < n; ++column)
      for (long row = k + 1; row < n; ++row)
        at(row, column) -= at(row, k) * at(k, column);
  }
};

/// Solves op(A) x = b with the factors of A.
template <class T>
void solve(const T* a, long ld, int n, const int* pivots, bool transposed, T* b) {
  const Triangle<T> lower{{a, ld, transposed}, !transposed, true, n};
  const Triangle<T> upper{{a, ld, transposed}, transposed, false, n};
  if (pivots != nullptr && !transposed)
    for (long i = 0; i < n; ++i)
      std::swap(b[i], b[pivots[i] - 1]);
  solveColumn(transposed ? upper : lower, b);
  solveColumn(transposed ? lower : upper, b);
  if (pivots != nullptr && transposed)
    for (long i = n - 1; i >= 0; --i)
      std::swap(b[i], b[pivots[i] - 1]);
}

void checkPivots(const Arguments& arguments, const int* pivots, int n, int count) {
  if (pivots != nullptr)
    arguments.array(pivots, std::size_t(n) * std::size_t(count), "the pivots");
}
template <class Int> Int* pivotsOf(Int* pivots, int n, long matrix) {
  return pivots == nullptr ? nullptr : pivots + matrix * n;
}

template <class T>
cublasStatus_t getrf(cublasHandle_t handle, const char* name, int n, T* const a[], int lda,
                     int* pivots, int* info, int count) {
  const bool valid = n >= 0 && count >= 0 && fits(lda, {n, n});
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (n == 0 || count == 0)
      return;
    arguments.array(a, std::size_t(count), "the pointers to A");
    arguments.array(info, std::size_t(count), "info");
    checkPivots(arguments, pivots, n, count);
    for (long i = 0; i < count; ++i) {
      arguments.matrix(a[i], n, n, lda, "A");
      info[i] = Factors<T>{a[i], lda, n, pivotsOf(pivots, n, i)}.factor();
    }
  });
}

/// Its info is the host's: which argument is wrong.
template <class T>
cublasStatus_t getrs(cublasHandle_t handle, const char* name, cublasOperation_t trans, int n,
                     int nrhs, const T* const a[], int lda, const int* pivots, T* const b[],
                     int ldb, int* info, int count) {
  const bool valid = n >= 0 && nrhs >= 0 && count >= 0 && fits(lda, {n, n}) && fits(ldb, {n, nrhs});
  if (valid && info != nullptr)
    *info = 0;
  return run(handle, name, valid && info != nullptr, [&](const Arguments& arguments) {
    if (n == 0 || nrhs == 0 || count == 0)
      return;
    arguments.array(a, std::size_t(count), "the pointers to A");
    arguments.array(b, std::size_t(count), "the pointers to B");
    checkPivots(arguments, pivots, n, count);
    for (long i = 0; i < count; ++i) {
      arguments.matrix(a[i], n, n, lda, "A");
      arguments.matrix(b[i], n, nrhs, ldb, "B");
      for (long column = 0; column < nrhs; ++column)
        solve(a[i], lda, n, pivotsOf(pivots, n, i), trans != CUBLAS_OP_N, b[i] + column * ldb);
    }
  });
}

template <class T>
cublasStatus_t getri(cublasHandle_t handle, const char* name, int n, const T* const a[], int lda,
                     const int* pivots, T* const c[], int ldc, int* info, int count) {
  const bool valid = n >= 0 && count >= 0 && fits(lda, {n, n}) && fits(ldc, {n, n});
  return run(handle, name, valid, [&](const Arguments& arguments) {
    if (n == 0 || count == 0)
      return;
    arguments.array(a, std::size_t(count), "the pointers to A");
    arguments.array(c, std::size_t(count), "the pointers to C");
    arguments.array(info, std::size_t(count), "info");
    checkPivots(arguments, pivots, n, count);
    for (long i = 0; i < count; ++i) {
      arguments.matrix(a[i], n, n, lda, "A");
      arguments.matrix(c[i], n, n, ldc, "C");
      info[i] = 0;
      for (long k = n; k > 0; --k)
        info[i] = a[i][(k - 1) * (lda + 1L)] == T(0) ? int(k) : info[i];
      for (long column = 0; column < n && info[i] == 0; ++column) {
        T* const to = c[i] + column * ldc;
        std::fill(to, to + n, T(0));
        to[column] = T(1);
        solve(a[i], lda, n, pivotsOf(pivots, n, i), false, to);
      }
    }
  });
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define HEDDLE_TRIANGLES(S, T)                                                                     \
  HEDDLE_API cublasStatus_t cublas##S##trsv(cublasHandle_t handle, cublasFillMode_t uplo,          \
                                            cublasOperation_t trans, cublasDiagType_t diag, int n, \
                                            const T* A, int lda, T* x, int incx) {                 \
    return trsv(handle, __func__, uplo, trans, diag, n, A, lda, x, incx);                          \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n, T* const A[],    \
                                                    int lda, int* pivots, int* info, int count) {  \
    return getrf(handle, __func__, n, A, lda, pivots, info, count);                                \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##getrsBatched(                                               \
      cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* const A[],         \
      int lda, const int* pivots, T* const B[], int ldb, int* info, int count) {                   \
    return getrs(handle, __func__, trans, n, nrhs, A, lda, pivots, B, ldb, info, count);           \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##getriBatched(                                               \
      cublasHandle_t handle, int n, const T* const A[], int lda, const int* pivots, T* const C[],  \
      int ldc, int* info, int count) {                                                             \
    return getri(handle, __func__, n, A, lda, pivots, C, ldc, info, count);                        \
  }
HEDDLE_TRIANGLES(S, float)
HEDDLE_TRIANGLES(D, double)
#undef HEDDLE_TRIANGLES
