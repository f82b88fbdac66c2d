// RUN: %heddle fix %s --only share-rows --line 13 | grep -v CHECK | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Few rows of one length lose no lanes, but each lane reads memory of its own, and most of the GPU
// has nothing to do.
#include <cstdio>

constexpr int rows = 512, items = 200;

__global__ void sums(const int* start, const int* value, int* out) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = start[row]; k < start[row + 1]; ++k)
    sum += value[k];
  out[row] = sum;
}

int main() {
  int *start = nullptr, *value = nullptr, *out = nullptr;
  cudaMallocManaged(&start, (rows + 1) * sizeof(int));
  cudaMallocManaged(&value, rows * items * sizeof(int));
  cudaMallocManaged(&out, rows * sizeof(int));
  for (int i = 0; i <= rows; ++i)
    start[i] = i * items;
  for (int i = 0; i < rows * items; ++i)
    value[i] = i % 1001;
  sums<<<rows / 64, 64>>>(start, value, out);
  cudaDeviceSynchronize();
  std::printf("%d\n", out[rows - 1]);
}

// CHECK: equal-rows.cu:13 share-rows (team of {{8|16|32}}) {{.*}} apply
