// SPDX-License-Identifier: Apache-2.0
// Atomics on integers, in shared memory and in global memory: counts, a maximum, a place that is
// waited for, and a loop of compare and swap.
#include <cstdio>
#include <vector>

constexpr int bins = 64;

__global__ void histogram(const unsigned* values, int n, unsigned* counts) {
  __shared__ unsigned own[bins];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    own[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[values[i] % bins], 1);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    if (own[bin] != 0)
      atomicAdd(&counts[bin], own[bin]);
}

__global__ void append(const unsigned* values, int n, unsigned* most, int* total, unsigned* list) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicMax(most, values[i]);
  if (values[i] % 5 == 0)
    list[atomicAdd(total, 1)] = values[i];
}

__global__ void saturate(const unsigned* values, unsigned* cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* cell = cells + i / 8;
  unsigned before = *cell, seen = 0;
  do {
    seen = before;
    const unsigned sum = seen + values[i] % 100;
    before = atomicCAS(cell, seen, sum < 300 ? sum : 300);
  } while (before != seen);
}

unsigned total(const unsigned* device, int count) {
  std::vector<unsigned> values(count);
  cudaMemcpy(values.data(), device, count * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < count; ++i)
    sum += values[i] * (count < 100 ? i + 1 : 1);
  return sum;
}

int main() {
  const int n = 1 << 14;
  std::vector<unsigned> numbers(n);
  unsigned state = 23;
  for (unsigned& number : numbers) {
    state = state * 1664525u + 1013904223u;
    number = state >> 12;
  }
  unsigned *values = nullptr, *counts = nullptr, *list = nullptr, *cells = nullptr, *most = nullptr;
  int* length = nullptr;
  cudaMalloc(&values, n * sizeof(unsigned));
  cudaMalloc(&counts, bins * sizeof(unsigned));
  cudaMalloc(&list, n * sizeof(unsigned));
  cudaMalloc(&cells, n / 8 * sizeof(unsigned));
  cudaMalloc(&most, sizeof(unsigned));
  cudaMalloc(&length, sizeof(int));
  cudaMemcpy(values, numbers.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  for (unsigned* each : {counts, most, reinterpret_cast<unsigned*>(length)})
    cudaMemset(each, 0, (each == counts ? bins : 1) * sizeof(unsigned));
  cudaMemset(list, 0, n * sizeof(unsigned));
  cudaMemset(cells, 0, n / 8 * sizeof(unsigned));
  histogram<<<16, 256>>>(values, n, counts);
  append<<<n / 256, 256>>>(values, n, most, length, list);
  saturate<<<n / 256, 256>>>(values, cells);
  printf("%u %u %u %u\n", total(counts, bins), total(most, 1), total(list, n), total(cells, n / 8));
}
