// SPDX-License-Identifier: Apache-2.0
// cuBLAS: vectors, matrices and their products, against plain loops; factors on both sides.
// FLAGS: -lcublas
#include "../check.h"
#include <cublas_v2.h>

#define CHECK_BLAS(call) expectEqual<int>(#call, call, CUBLAS_STATUS_SUCCESS)

template <class T> std::vector<T> someNumbers(int count, int seed) {
  std::vector<T> numbers(count);
  for (int i = 0; i < count; ++i)
    numbers[i] = T((i * 37 + seed * 11) % 17 - 8);
  return numbers;
}

// op(A) of a matrix with `ld` numbers a column.
template <class T> T at(const std::vector<T>& a, bool transposed, int ld, int row, int column) {
  return transposed ? a[column + row * ld] : a[row + column * ld];
}

void checkVectors(cublasHandle_t handle) {
  const int n = 100;
  const std::vector<float> x = someNumbers<float>(2 * n, 1), y = someNumbers<float>(n, 2);
  DeviceArray<float> dx(x), dy(y), result(1);
  float dot = 0, norm = 0, sum = 0, wantDot = 0, wantNorm = 0, wantSum = 0;
  int largest = 0, wantLargest = 0;
  for (int i = 0; i < n; ++i) {
    wantDot += x[2 * i] * y[n - 1 - i];
    wantNorm += x[2 * i] * x[2 * i];
    wantSum += std::fabs(x[2 * i]);
    if (std::fabs(x[2 * i]) > std::fabs(x[2 * wantLargest]))
      wantLargest = i;
  }
  CHECK_BLAS(cublasSdot(handle, n, dx, 2, dy, -1, &dot));
  CHECK_BLAS(cublasSnrm2(handle, n, dx, 2, &norm));
  CHECK_BLAS(cublasSasum(handle, n, dx, 2, &sum));
  CHECK_BLAS(cublasIsamax(handle, n, dx, 2, &largest));
  expectEqual("dot", dot, wantDot);
  expectNear("nrm2", norm, std::sqrt(wantNorm), 1e-6);
  expectEqual("asum", sum, wantSum);
  expectEqual("iamax", largest, wantLargest + 1);
  CHECK_BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  CHECK_BLAS(cublasSdot(handle, n, dx, 2, dy, -1, result));
  CHECK_BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  expectEqual("dot on the device", result.read()[0], wantDot);
  const float factor = 3;
  CHECK_BLAS(cublasSaxpy(handle, n, &factor, dx, 2, dy, 1));
  CHECK_BLAS(cublasSscal(handle, n, &factor, dx, 2));
  expectArray("axpy", dy.read(), [&](size_t i) { return y[i] + 3 * x[2 * i]; });
  expectArray("scal", dx.read(), [&](size_t i) { return i % 2 == 0 ? 3 * x[i] : x[i]; });
}

template <class T, class Gemm> void checkProducts(cublasHandle_t handle, Gemm gemm) {
  const int m = 70, n = 81, k = 300, ldc = m + 3;
  for (int form = 0; form < 4; ++form) {
    const bool ta = form & 1, tb = form & 2;
    const int lda = (ta ? k : m) + 1, ldb = (tb ? n : k) + 2;
    const std::vector<T> a = someNumbers<T>(lda * (ta ? m : k), 3),
                         b = someNumbers<T>(ldb * (tb ? k : n), 4), c = someNumbers<T>(ldc * n, 5);
    DeviceArray<T> da(a), db(b), dc(c);
    const T alpha = 2, beta = -1;
    CHECK_BLAS(gemm(handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k,
                    &alpha, da, lda, db, ldb, &beta, dc, ldc));
    expectArray("gemm " + std::to_string(form), dc.read(), [&](size_t i) {
      const int row = i % ldc, column = i / ldc;
      T sum = 0;
      for (int p = 0; p < k && row < m; ++p)
        sum += at(a, ta, lda, row, p) * at(b, tb, ldb, p, column);
      return row < m ? 2 * sum - c[i] : c[i];
    });
  }
}

void checkSolve(cublasHandle_t handle) {
  const int n = 20, columns = 5;
  std::vector<double> a = someNumbers<double>(n * n, 6), b = someNumbers<double>(n * columns, 7);
  for (int i = 0; i < n; ++i)
    a[i + i * n] = 100 + i;
  for (int form = 0; form < 8; ++form) {
    const bool right = form & 1, upper = form & 2, turned = form & 4;
    const int rows = right ? columns : n, count = right ? n : columns;
    DeviceArray<double> da(a), db(b);
    const double one = 1;
    CHECK_BLAS(cublasDtrsm(handle, right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT,
                           upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER,
                           turned ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, rows, count,
                           &one, da, n, db, rows));
    const std::vector<double> x = db.read();
    const auto triangle = [&](int row, int column) {
      const int i = turned ? column : row, j = turned ? row : column;
      return (upper ? i <= j : i >= j) ? a[i + j * n] : 0.0;
    };
    for (int i = 0; i < rows * count; ++i) {
      double sum = 0;
      for (int p = 0; p < n; ++p)
        sum += right ? x[i % rows + p * rows] * triangle(p, i / rows)
                     : triangle(i % rows, p) * x[p + i / rows * rows];
      expectNear("trsm " + std::to_string(form), sum, b[i], 1e-10, 1e-10);
    }
    CHECK_BLAS(cublasDtrmm(handle, right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT,
                           upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER,
                           turned ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, rows, count,
                           &one, da, n, db, rows, db, rows));
    const std::vector<double> back = db.read();
    for (int i = 0; i < rows * count; ++i)
      expectNear("trmm " + std::to_string(form), back[i], b[i], 1e-10, 1e-10);
  }
}

void checkOthers(cublasHandle_t handle) {
  const int m = 30, n = 90;
  const std::vector<float> a = someNumbers<float>(m * n, 8), x = someNumbers<float>(n, 9);
  DeviceArray<float> da(a), dx(x), dy(m), dc(n * n), dt(m * n);
  const float one = 1, zero = 0;
  CHECK_BLAS(cublasSgemv(handle, CUBLAS_OP_N, m, n, &one, da, m, dx, 1, &zero, dy, 1));
  CHECK_BLAS(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, &one, da, m, &zero, dt, n, dt, n));
  CHECK_BLAS(
      cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, n, m, &one, da, m, &zero, dc, n));
  expectArray("gemv", dy.read(), [&](size_t row) {
    float sum = 0;
    for (int j = 0; j < n; ++j)
      sum += a[row + j * m] * x[j];
    return sum;
  });
  expectArray("geam", dt.read(), [&](size_t i) { return a[i / n + i % n * m]; });
  const std::vector<float> c = dc.read();
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      float sum = 0;
      for (int p = 0; p < m; ++p)
        sum += a[p + i * m] * a[p + j * m];
      expectEqual("syrk", c[i + j * n], sum);
    }
  CHECK_BLAS(cublasSger(handle, m, n, &one, dy, 1, dx, 1, da, m));
  const std::vector<float> y = dy.read();
  expectArray("ger", da.read(), [&](size_t i) { return a[i] + y[i % m] * x[i / m]; });
  CHECK_BLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &one, dx, 3, 9,
                                       dx, 3, 9, &zero, dt, 3, 9, 10));
  const std::vector<float> t = dt.read();
  for (int i = 0; i < 90; ++i) {
    float sum = 0;
    for (int p = 0; p < 3; ++p)
      sum += x[i / 9 * 9 + i % 3 + 3 * p] * x[i / 9 * 9 + p + i % 9 / 3 * 3];
    expectEqual("strided", t[i], sum);
  }
}

int main() {
  cublasHandle_t handle = nullptr;
  expectEqual<int>("no handle", cublasSscal(handle, 0, nullptr, nullptr, 1),
                   CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK_BLAS(cublasCreate(&handle));
  checkVectors(handle);
  checkProducts<float>(handle, cublasSgemm);
  checkProducts<double>(handle, cublasDgemm);
  checkSolve(handle);
  checkOthers(handle);
  CHECK_BLAS(cublasDestroy(handle));
  return finish();
}
