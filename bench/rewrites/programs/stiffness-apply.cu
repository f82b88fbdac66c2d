// SPDX-License-Identifier: Apache-2.0
// Applies a sparse stiffness matrix in double precision; every row holds 27 entries.
#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename Index, typename Value>
__global__ void apply(const Index* __restrict__ rowStart, const Index* __restrict__ column,
                      const Value* __restrict__ value, const Value* __restrict__ x,
                      Value* __restrict__ y, Index rows) {
  Index row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  Value sum = 0;
  for (Index k = rowStart[row]; k < rowStart[row + 1]; ++k) {
    sum += value[k] * x[column[k]];
  }
  y[row] = sum;
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 400000;
  const int per = 27;
  int side = 1;
  while (side * side * side < rows) ++side;
  std::vector<int> rowStart(rows + 1), column(size_t(rows) * per);
  std::vector<double> value(size_t(rows) * per), x(rows), y(rows);
  for (int r = 0; r < rows; ++r) {
    rowStart[r] = r * per;
    x[r] = 1.0 + (r % 17) * 0.0625;
    for (int k = 0; k < per; ++k) {
      int shift = (k % 3 - 1) + (k / 3 % 3 - 1) * side + (k / 9 - 1) * side * side;
      int c = r + shift;
      column[size_t(r) * per + k] = c < 0 || c >= rows ? r : c;
      value[size_t(r) * per + k] = k == 13 ? 26.0 : -1.0 + 0.01 * ((r + k) % 5);
    }
  }
  rowStart[rows] = rows * per;

  int *dStart, *dColumn;
  double *dValue, *dX, *dY;
  cudaMalloc(&dStart, rowStart.size() * sizeof(int));
  cudaMalloc(&dColumn, column.size() * sizeof(int));
  cudaMalloc(&dValue, value.size() * sizeof(double));
  cudaMalloc(&dX, rows * sizeof(double));
  cudaMalloc(&dY, rows * sizeof(double));
  cudaMemcpy(dStart, rowStart.data(), rowStart.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dColumn, column.data(), column.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dValue, value.data(), value.size() * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(dX, x.data(), rows * sizeof(double), cudaMemcpyHostToDevice);
  int blocks = (rows + 255) / 256;
  apply<int, double><<<blocks, 256>>>(dStart, dColumn, dValue, dX, dY, rows);
  cudaMemcpy(y.data(), dY, rows * sizeof(double), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int r = 0; r < rows; ++r) sum += y[r] * x[r];
  std::printf("energy %.8e\n", sum);
  cudaFree(dStart);
  cudaFree(dColumn);
  cudaFree(dValue);
  cudaFree(dX);
  cudaFree(dY);
  return 0;
}
