// SPDX-License-Identifier: Apache-2.0
//
// Sizes and steps of what cuBLAS is given.
#pragma once

#include <cublas_v2.h>

#include <algorithm>

namespace heddle::cublas {

/// A factor of 0 says that what it belongs to is not read, and may hold anything.
template <class T> T times(T factor, T value) {
  return factor == T(0) ? T(0) : factor * value;
}

/// Where a vector begins: a negative step goes backwards from the last element.
inline long stepStart(int n, int step) {
  return step < 0 ? -long(n - 1) * step : 0;
}

/// The two shapes of op(A), m by k.
struct Shape {
  int rows, columns;
};
inline Shape stored(cublasOperation_t trans, int rows, int columns) {
  return trans == CUBLAS_OP_N ? Shape{rows, columns} : Shape{columns, rows};
}
inline bool fits(int ld, Shape shape) {
  return ld >= std::max(1, shape.rows);
}

} // namespace heddle::cublas
