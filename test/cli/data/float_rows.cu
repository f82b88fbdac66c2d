// SPDX-License-Identifier: Apache-2.0
//
// Rows of floats of different lengths: shared by lanes, their sums are rounded in another order.
#include <cstdio>

__global__ void sumRows(const int* start, const float* value, float* sums, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = start[row]; k < start[row + 1]; ++k)
    sum += value[k];
  sums[row] = sum;
}

int main() {
  constexpr int rows = 16384, mostItems = 1 << 20;
  int* start = nullptr;
  float *value = nullptr, *sums = nullptr;
  cudaMallocManaged(&start, (rows + 1) * sizeof(int));
  cudaMallocManaged(&value, mostItems * sizeof(float));
  cudaMallocManaged(&sums, rows * sizeof(float));
  unsigned random = 1;
  start[0] = 0;
  for (int row = 0; row < rows; ++row) {
    random = random * 1664525u + 1013904223u;
    start[row + 1] = start[row] + int(random >> 8) % (random >> 28 == 3 ? 900 : 9);
  }
  for (int k = 0; k < start[rows]; ++k)
    value[k] = 1.0f / float(k % 1000 + 3);
  sumRows<<<rows / 128, 128>>>(start, value, sums, rows);
  cudaDeviceSynchronize();
  double all = 0;
  for (int row = 0; row < rows; ++row)
    all += sums[row];
  std::printf("sum %.6f\n", all);
}
