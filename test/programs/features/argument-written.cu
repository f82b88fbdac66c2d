// SPDX-License-Identifier: Apache-2.0
// A kernel may write to its own arguments, by an index or not: each thread has its copy.
#include "../check.h"

struct Work {
  int first;
  int parts[8];
};

__global__ void take(Work work, int* sums) {
  const int thread = threadIdx.x;
  work.parts[2] = thread; // a place that is known when it is compiled
  work.parts[3 + thread % 5] = 100;
  int sum = work.first;
  for (int i = 0; i < 8; ++i)
    sum += work.parts[(i + thread) % 8];
  sums[blockIdx.x * blockDim.x + thread] = sum;
}

int main() {
  const int blocks = 4, threads = 64;
  DeviceArray<int> sums(blocks * threads);
  take<<<blocks, threads>>>({1000, {1, 2, 3, 4, 5, 6, 7, 8}}, sums);
  CHECK_LAUNCH();
  expectArray("sums", sums.read(), [](size_t i) {
    const int thread = i % 64;
    return 1000 + thread + 33 - (4 + thread % 5) + 100;
  });
  return finish();
}
