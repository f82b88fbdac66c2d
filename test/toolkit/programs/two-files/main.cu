// SPDX-License-Identifier: Apache-2.0
// A program of two files with a kernel each, which nvcc compiles one by one.
#include <cstdio>
#include <vector>

#include "count.h"

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = i % 3 == 0 ? i * 17 % 1009 : i / 5;
}

int main() {
  const int n = 5000;
  int *values = nullptr, *lengths = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&lengths, n * sizeof(int));
  fill<<<(n + 127) / 128, 128>>>(values, n);
  countDigits(values, lengths, n);
  std::vector<int> counted(n);
  cudaMemcpy(counted.data(), lengths, n * sizeof(int), cudaMemcpyDeviceToHost);
  long sum = 0;
  for (const int length : counted)
    sum += length;
  printf("%ld\n", sum);
}
