// SPDX-License-Identifier: Apache-2.0
//
// A triangular matrix, and one system of equations with it.
#pragma once

#include "cublas/Gemm.h"

namespace heddle::cublas {

/// A triangle that equations are solved with.
template <class T> struct Triangle {
  Matrix<T> a;
  bool lower; ///< as it is used, transposed or not
  bool unit;
  long size;

  T diagonal(long i) const { return unit ? T(1) : a.at(i, i); }
  /// The i-th to solve for: those before it are known by then.
  long order(bool forwards, long i) const { return forwards ? i : size - 1 - i; }
};

/// A * X = B for one column of B.
template <class T> void solveColumn(const Triangle<T>& triangle, T* b) {
  for (long i = 0; i < triangle.size; ++i) {
    const long row = triangle.order(triangle.lower, i);
    b[row] /= triangle.diagonal(row);
    const long first = triangle.lower ? row + 1 : 0, last = triangle.lower ? triangle.size : row;
    for (long other = first; other < last; ++other)
      b[other] -= triangle.a.at(other, row) * b[row];
  }
}

} // namespace heddle::cublas
