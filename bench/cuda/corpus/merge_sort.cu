// SPDX-License-Identifier: Apache-2.0
// Merge sort: insertion sort of runs of 16, then each element finds its place in the other run.
#include "common.h"
#include <algorithm>

__global__ void insertionRuns(int* data, int n) {
  int begin = 16 * (blockIdx.x * blockDim.x + threadIdx.x), end = min(begin + 16, n);
  for (int i = begin + 1; i < end; ++i) {
    int key = data[i], j = i;
    while (j > begin && data[j - 1] > key) {
      data[j] = data[j - 1];
      --j;
    }
    data[j] = key;
  }
}

__global__ void mergeRuns(const int* in, int* out, int width, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int pair = i / (2 * width) * 2 * width, middle = min(pair + width, n),
      end = min(pair + 2 * width, n);
  bool isLeft = i < middle;
  int low = isLeft ? middle : pair, high = isLeft ? end : middle, first = low, key = in[i];
  while (low < high) {
    int half = (low + high) / 2;
    if (in[half] < key || (!isLeft && in[half] == key))
      low = half + 1;
    else
      high = half;
  }
  out[pair + (i - (isLeft ? pair : middle)) + (low - first)] = key;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 2000);
  Random random(23);
  std::vector<int> data(n);
  for (int& each : data)
    each = random.next() % 100000;
  int *a = upload(data), *b = allocate<int>(n), runs = (n + 15) / 16;
  insertionRuns<<<(runs + 63) / 64, 64>>>(a, n);
  for (int width = 16; width < n; width *= 2) {
    mergeRuns<<<(n + 127) / 128, 128>>>(a, b, width, n);
    std::swap(a, b);
  }
  std::vector<int> got = download(a, n);
  std::sort(data.begin(), data.end());
  return verdict(got == data);
}
