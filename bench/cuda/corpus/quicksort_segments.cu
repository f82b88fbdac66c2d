// SPDX-License-Identifier: Apache-2.0
// Sorts many short segments of unequal length, each by one thread, quicksort with its own stack.
#include "common.h"
#include <algorithm>

__global__ void sortSegments(int* data, const int* start, int segments) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= segments)
    return;
  int stack[32], top = 0;
  stack[top++] = start[s];
  stack[top++] = start[s + 1] - 1;
  while (top > 0) {
    int high = stack[--top], low = stack[--top];
    while (low < high) {
      int pivot = data[(low + high) / 2], i = low, j = high;
      while (i <= j) {
        while (data[i] < pivot)
          ++i;
        while (data[j] > pivot)
          --j;
        if (i <= j) {
          int held = data[i];
          data[i++] = data[j];
          data[j--] = held;
        }
      }
      if (j - low < high - i) {
        stack[top++] = i;
        stack[top++] = high;
        high = j;
      } else {
        stack[top++] = low;
        stack[top++] = j;
        low = i;
      }
    }
  }
}

int main(int argc, char** argv) {
  int segments = argument(argc, argv, 256);
  Random random(173);
  std::vector<int> start(1, 0), data;
  for (int s = 0; s < segments; ++s) {
    int length = 4 + random.next() % 60;
    for (int k = 0; k < length; ++k)
      data.push_back(random.next() % 1000);
    start.push_back((int)data.size());
  }
  int* d = upload(data);
  sortSegments<<<(segments + 63) / 64, 64>>>(d, upload(start), segments);
  for (int s = 0; s < segments; ++s)
    std::sort(data.begin() + start[s], data.begin() + start[s + 1]);
  return verdict(download(d, data.size()) == data);
}
