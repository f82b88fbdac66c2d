// SPDX-License-Identifier: Apache-2.0
// Each thread sorts its own row by a recursive quicksort in global memory, with cut-off to
// insertion sort.
#include <algorithm>

#include "../check.h"

__device__ void insertionSort(int* a, int n) {
  for (int i = 1; i < n; ++i) {
    const int x = a[i];
    int j = i;
    for (; j > 0 && a[j - 1] > x; --j)
      a[j] = a[j - 1];
    a[j] = x;
  }
}

__device__ __noinline__ void quicksort(int* a, int n) {
  if (n <= 4) {
    insertionSort(a, n);
    return;
  }
  const int pivot = a[n / 2];
  int i = 0, j = n - 1;
  while (i <= j) {
    while (a[i] < pivot)
      ++i;
    while (a[j] > pivot)
      --j;
    if (i <= j) {
      const int swapped = a[i];
      a[i++] = a[j];
      a[j--] = swapped;
    }
  }
  quicksort(a, j + 1);
  quicksort(a + i, n - i);
}

__global__ void sortRows(int* rows, int width) {
  quicksort(rows + threadIdx.x * width, width - threadIdx.x % 5);
}

int main() {
  const int rows = 64, width = 60;
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
  std::vector<int> values(rows * width);
  unsigned state = 12345;
  for (int& value : values)
    value = int((state = state * 1664525u + 1013904223u) >> 20);
  DeviceArray<int> device(values);
  sortRows<<<1, rows>>>(device, width);
  CHECK_LAUNCH();
  for (int row = 0; row < rows; ++row)
    std::sort(values.begin() + row * width, values.begin() + (row + 1) * width - row % 5);
  expectArray("rows", device.read(), [&](size_t i) { return values[i]; });
  return finish();
}
