// SPDX-License-Identifier: Apache-2.0
// LU factors of many 32 x 32 matrices with pivoting, a block to a matrix in shared memory.
#include "common.h"

const int N = 32;

__global__ void factor(float* matrices, int* pivots) {
  __shared__ float a[N][N + 1];
  __shared__ int pivot;
  float* mine = matrices + blockIdx.x * N * N;
  int column = threadIdx.x;
  for (int row = 0; row < N; ++row)
    a[row][column] = mine[row * N + column];
  __syncthreads();
  for (int k = 0; k < N; ++k) {
    if (column == 0) {
      pivot = k;
      for (int row = k + 1; row < N; ++row)
        if (fabsf(a[row][k]) > fabsf(a[pivot][k]))
          pivot = row;
      pivots[blockIdx.x * N + k] = pivot;
    }
    __syncthreads();
    if (pivot != k) {
      float held = a[k][column];
      a[k][column] = a[pivot][column];
      a[pivot][column] = held;
    }
    __syncthreads();
    if (column > k)
      a[column][k] /= a[k][k];
    __syncthreads();
    if (column > k)
      for (int row = k + 1; row < N; ++row)
        a[row][column] -= a[row][k] * a[k][column];
    __syncthreads();
  }
  for (int row = 0; row < N; ++row)
    mine[row * N + column] = a[row][column];
}

int main(int argc, char** argv) {
  int count = argument(argc, argv, 8);
  Random random(11);
  std::vector<float> input(count * N * N);
  for (float& each : input)
    each = random.uniform() * 2 - 1;
  float* matrices = upload(input);
  int* pivots = allocate<int>(count * N);
  factor<<<count, N>>>(matrices, pivots);
  std::vector<float> lu = download(matrices, input.size());
  std::vector<int> order = download(pivots, count * N);
  bool passed = true;
  for (int m = 0; m < count; ++m) {
    float* rows = &input[m * N * N];
    for (int k = 0; k < N; ++k)
      for (int j = 0; j < N; ++j)
        std::swap(rows[k * N + j], rows[order[m * N + k] * N + j]);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        float sum = 0;
        for (int k = 0; k <= std::min(i, j); ++k)
          sum += (k == i ? 1.0f : lu[m * N * N + i * N + k]) * lu[m * N * N + k * N + j];
        passed &= near(sum, rows[i * N + j], 1e-3);
      }
  }
  return verdict(passed);
}
