// SPDX-License-Identifier: Apache-2.0
//
// The product of two dense matrices. Blocks of both are copied to where they lie in the order in
// which a small kernel reads them, which the compiler turns into vector instructions; strips of
// columns run in parallel.
#pragma once

namespace heddle::cublas {

/// A matrix that lies column by column, or its transpose.
template <class T> struct Matrix {
  const T* data;
  long ld;
  bool transposed;

  T at(long row, long column) const {
    return transposed ? data[column + row * ld] : data[row + column * ld];
  }
};

/// C = alpha * A * B + beta * C, with m rows, n columns and k in between. C is not read where beta
/// is 0, A and B not where alpha is.
template <class T>
void gemm(long m, long n, long k, T alpha, Matrix<T> a, Matrix<T> b, T beta, T* c, long ldc);

extern template void gemm(long, long, long, float, Matrix<float>, Matrix<float>, float, float*,
                          long);
extern template void gemm(long, long, long, double, Matrix<double>, Matrix<double>, double, double*,
                          long);

} // namespace heddle::cublas
