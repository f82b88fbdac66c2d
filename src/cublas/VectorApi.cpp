// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS, level 1: vectors. A vector with a negative step begins at its last element, as BLAS says.
// Sums of floats are taken in double.
#include "cublas/CublasCall.h"

#include <cmath>
#include <type_traits>
#include <utility>

namespace heddle::cublas {
namespace {

/// The elements of a vector in BLAS' order.
template <class T> class Vector {
public:
  Vector(T* data, int n, int step)
      : first_(step < 0 ? data - long(n - 1) * step : data), step_(step) {}
  T& operator[](long i) const { return first_[i * step_]; }

private:
  T* first_;
  long step_;
};

template <class T>
cublasStatus_t axpy(cublasHandle_t handle, const char* name, int n, const T* alpha, const T* x,
                    int incx, T* y, int incy) {
  return run(handle, name, alpha != nullptr, [&](const Arguments& arguments) {
    if (n <= 0)
      return;
    const T factor = arguments.scalar(alpha, "alpha");
    arguments.vector(x, n, incx, "x");
    arguments.vector(y, n, incy, "y");
    const Vector<const T> from(x, n, incx);
    const Vector<T> to(y, n, incy);
    for (long i = 0; i < n; ++i)
      to[i] += factor * from[i];
  });
}

template <class T>
cublasStatus_t scal(cublasHandle_t handle, const char* name, int n, const T* alpha, T* x,
                    int incx) {
  return run(handle, name, alpha != nullptr, [&](const Arguments& arguments) {
    if (n <= 0 || incx <= 0)
      return;
    const T factor = arguments.scalar(alpha, "alpha");
    arguments.vector(x, n, incx, "x");
    for (long i = 0; i < n; ++i)
      x[i * incx] *= factor;
  });
}

/// Copies x to y, or exchanges them: whatever `move` does with two elements.
template <class From, class To, class Move>
cublasStatus_t both(cublasHandle_t handle, const char* name, int n, From* x, int incx, To* y,
                    int incy, Move move) {
  return run(handle, name, true, [&](const Arguments& arguments) {
    if (n <= 0)
      return;
    arguments.vector(x, n, incx, "x");
    arguments.vector(y, n, incy, "y");
    const Vector<From> from(x, n, incx);
    const Vector<To> to(y, n, incy);
    for (long i = 0; i < n; ++i)
      move(from[i], to[i]);
  });
}

template <class T>
cublasStatus_t dot(cublasHandle_t handle, const char* name, int n, const T* x, int incx, const T* y,
                   int incy, T* result) {
  return run(handle, name, result != nullptr, [&](const Arguments& arguments) {
    T& sum = arguments.scalar(result, "result");
    double total = 0;
    if (n > 0) {
      arguments.vector(x, n, incx, "x");
      arguments.vector(y, n, incy, "y");
      const Vector<const T> left(x, n, incx), right(y, n, incy);
      for (long i = 0; i < n; ++i)
        total += double(left[i]) * double(right[i]);
    }
    sum = T(total);
  });
}

/// Turns the points (x, y) by an angle, given by its cosine and sine.
template <class T>
cublasStatus_t rot(cublasHandle_t handle, const char* name, int n, T* x, int incx, T* y, int incy,
                   const T* c, const T* s) {
  return run(handle, name, c != nullptr && s != nullptr, [&](const Arguments& arguments) {
    if (n <= 0)
      return;
    const T cosine = arguments.scalar(c, "c"), sine = arguments.scalar(s, "s");
    arguments.vector(x, n, incx, "x");
    arguments.vector(y, n, incy, "y");
    const Vector<T> first(x, n, incx), second(y, n, incy);
    for (long i = 0; i < n; ++i) {
      const T turned = cosine * first[i] + sine * second[i];
      second[i] = cosine * second[i] - sine * first[i];
      first[i] = turned;
    }
  });
}

/// A number made of one vector; of none where there is nothing in it.
template <class T, class Result, class Compute>
cublasStatus_t reduce(cublasHandle_t handle, const char* name, int n, const T* x, int incx,
                      Result* result, Compute compute) {
  return run(handle, name, result != nullptr, [&](const Arguments& arguments) {
    Result& value = arguments.scalar(result, "result");
    value = 0;
    if (n <= 0 || incx <= 0)
      return;
    arguments.vector(x, n, incx, "x");
    value = compute(Vector<const T>(x, n, incx));
  });
}

/// The root of the sum of squares; scaled by the largest where squares leave the range of a double.
template <class T> T norm(int n, Vector<const T> x) {
  double sum = 0, largest = 0;
  for (long i = 0; i < n; ++i) {
    sum += double(x[i]) * double(x[i]);
    largest = std::fmax(largest, std::fabs(double(x[i])));
  }
  const bool fits = std::isnan(sum) || std::isinf(largest) || largest == 0 ||
                    (largest < 1e150 && largest > 1e-140);
  if (fits)
    return T(std::sqrt(sum));
  sum = 0;
  for (long i = 0; i < n; ++i)
    sum += (double(x[i]) / largest) * (double(x[i]) / largest);
  return T(largest * std::sqrt(sum));
}

template <class T> T sumOfMagnitudes(int n, Vector<const T> x) {
  double sum = 0;
  for (long i = 0; i < n; ++i)
    sum += std::fabs(double(x[i]));
  return T(sum);
}

/// The first of the largest or smallest in magnitude, counted from 1.
template <bool largest, class T> int extreme(int n, Vector<const T> x) {
  long best = 0;
  for (long i = 1; i < n; ++i) {
    const T one = std::fabs(x[i]), other = std::fabs(x[best]);
    if (largest ? one > other : one < other)
      best = i;
  }
  return int(best + 1);
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define HEDDLE_VECTORS(S, s, T)                                                                    \
  HEDDLE_API cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha,          \
                                            const T* x, int incx, T* y, int incy) {                \
    return axpy(handle, __func__, n, alpha, x, incx, y, incy);                                     \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x,    \
                                            int incx) {                                            \
    return scal(handle, __func__, n, alpha, x, incx);                                              \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int incx,    \
                                            T* y, int incy) {                                      \
    return both(handle, __func__, n, x, incx, y, incy, [](const T& a, T& b) { b = a; });           \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T* x, int incx, T* y,    \
                                            int incy) {                                            \
    return both(handle, __func__, n, x, incx, y, incy, [](T& a, T& b) { std::swap(a, b); });       \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, T* x, int incx, T* y,     \
                                           int incy, const T* c, const T* s) {                     \
    return rot(handle, __func__, n, x, incx, y, incy, c, s);                                       \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T* x, int incx,     \
                                           const T* y, int incy, T* result) {                      \
    return dot(handle, __func__, n, x, incx, y, incy, result);                                     \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T* x, int incx,    \
                                            T* result) {                                           \
    return reduce(handle, __func__, n, x, incx, result,                                            \
                  [&](Vector<const T> all) { return norm(n, all); });                              \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T* x, int incx,    \
                                            T* result) {                                           \
    return reduce(handle, __func__, n, x, incx, result,                                            \
                  [&](Vector<const T> all) { return sumOfMagnitudes(n, all); });                   \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublasI##s##amax(cublasHandle_t handle, int n, const T* x, int incx,   \
                                             int* result) {                                        \
    return reduce(handle, __func__, n, x, incx, result,                                            \
                  [&](Vector<const T> all) { return extreme<true>(n, all); });                     \
  }                                                                                                \
  HEDDLE_API cublasStatus_t cublasI##s##amin(cublasHandle_t handle, int n, const T* x, int incx,   \
                                             int* result) {                                        \
    return reduce(handle, __func__, n, x, incx, result,                                            \
                  [&](Vector<const T> all) { return extreme<false>(n, all); });                    \
  }
HEDDLE_VECTORS(S, s, float)
HEDDLE_VECTORS(D, d, double)
