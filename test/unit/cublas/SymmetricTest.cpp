// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS runs in the runtime's process, so these tests are of its program.
#include <cublas_v2.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace heddle::cublas {
namespace {

class SymmetricMatrices : public testing::Test {
protected:
  SymmetricMatrices() {
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  }
  ~SymmetricMatrices() override { cublasDestroy(handle); }

  /// Where both sides see them.
  static double* matrix(const std::vector<double>& values) {
    void* memory = nullptr;
    EXPECT_EQ(cudaMallocManaged(&memory, values.size() * sizeof(double), cudaMemAttachGlobal),
              cudaSuccess);
    std::copy(values.begin(), values.end(), static_cast<double*>(memory));
    return static_cast<double*>(memory);
  }
  static std::vector<double> read(const double* from, std::size_t count) {
    return {from, from + count};
  }

  cublasHandle_t handle = nullptr;
  const double one = 1, two = 2, none = 0;
};

// The matrix is 1 2 / 2 5, by columns; 99 stands where nothing is read.
TEST_F(SymmetricMatrices, OneTriangleIsRead) {
  const double* const lower = matrix({1, 2, 99, 5});
  const double* const upper = matrix({1, 99, 2, 5});
  const double* const b = matrix({1, 1, 0, 3});
  double* const c = matrix({1, 1, 1, 1});
  ASSERT_EQ(cublasDsymm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 2, 2, &one, lower, 2, b,
                        2, &two, c, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(read(c, 4), (std::vector<double>{5, 9, 8, 17}));
  ASSERT_EQ(cublasDsymm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, 2, 2, &one, upper, 2, b,
                        2, &none, c, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(read(c, 4), (std::vector<double>{1, 7, 2, 17}));
}

TEST_F(SymmetricMatrices, VectorsMayGoBackwards) {
  const double* const a = matrix({1, 2, 99, 5});
  const double* const x = matrix({10, 1});
  double* const y = matrix({1, 0, 1});
  ASSERT_EQ(cublasDsymv(handle, CUBLAS_FILL_MODE_LOWER, 2, &two, a, 2, x, -1, &one, y, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(read(y, 3), (std::vector<double>{43, 0, 105})); // of (1, 10)
}

TEST_F(SymmetricMatrices, OneTriangleIsWritten) {
  double* const a = matrix({0, 0, 7, 0});
  const double* const x = matrix({1, 3});
  ASSERT_EQ(cublasDsyr(handle, CUBLAS_FILL_MODE_LOWER, 2, &two, x, 1, a, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(read(a, 4), (std::vector<double>{2, 6, 7, 18}));
}

TEST_F(SymmetricMatrices, DiagonalScalesRowsOrColumns) {
  double* const a = matrix({1, 2, 3, 4, 5, 6});
  const double* const x = matrix({10, 100, 1000});
  double* const c = matrix({0, 0, 0, 0, 0, 0});
  ASSERT_EQ(cublasDdgmm(handle, CUBLAS_SIDE_LEFT, 2, 3, a, 2, x, 1, c, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(read(c, 6), (std::vector<double>{10, 200, 30, 400, 50, 600}));
  ASSERT_EQ(cublasDdgmm(handle, CUBLAS_SIDE_RIGHT, 2, 3, a, 2, x, 1, a, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(read(a, 6), (std::vector<double>{10, 20, 300, 400, 5000, 6000}));
}

TEST_F(SymmetricMatrices, SizesThatDoNotFitAreRefused) {
  double* const a = matrix({1, 2, 3, 4});
  EXPECT_EQ(cublasDsymm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 2, 2, &one, a, 1, a, 2,
                        &one, a, 2),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasDsymv(handle, CUBLAS_FILL_MODE_FULL, 2, &one, a, 2, a, 1, &one, a, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasDsyr(handle, CUBLAS_FILL_MODE_LOWER, 2, &one, a, 0, a, 2),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasDsyr(nullptr, CUBLAS_FILL_MODE_LOWER, 2, &one, a, 1, a, 2),
            CUBLAS_STATUS_NOT_INITIALIZED);
}

} // namespace
} // namespace heddle::cublas
