// SPDX-License-Identifier: Apache-2.0
// Threads that take items from one counter until there are none: on a GPU all blocks run at once and
// each gets its share, though nobody promises it.
#include "../check.h"

__device__ int next, nextOfBlocks;

__device__ int stepsOf(int start) {
  int steps = 0;
  for (unsigned long long value = start + 1; value != 1; ++steps)
    value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  return steps;
}

__global__ void threads(int count, int* steps, int* taken) {
  for (int item = atomicAdd(&next, 1); item < count; item = atomicAdd(&next, 1)) {
    steps[item] = stepsOf(item);
    atomicAdd(&taken[blockIdx.x], 1);
  }
}

// A block takes as many items as it has threads.
__global__ void blocks(int count, int* steps, int* taken) {
  __shared__ int first;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0)
      first = atomicAdd(&nextOfBlocks, int(blockDim.x));
    __syncthreads();
    if (first >= count)
      return;
    const int item = first + threadIdx.x;
    if (item < count) {
      steps[item] = stepsOf(item);
      atomicAdd(&taken[blockIdx.x], 1);
    }
  }
}

int main() {
  const int grid = 24, block = 64, count = grid * block * 16;
  using Kernel = void (*)(int, int*, int*);
  for (const Kernel kernel : {Kernel(threads), Kernel(blocks)}) {
    DeviceArray<int> steps(std::vector<int>(count, -1)), taken(std::vector<int>(grid, 0));
    kernel<<<grid, block>>>(count, steps, taken);
    CHECK_LAUNCH();
    expectArray("steps", steps.read(), [](size_t i) {
      int found = 0;
      for (unsigned long long value = i + 1; value != 1; ++found)
        value = value % 2 == 0 ? value / 2 : 3 * value + 1;
      return found;
    });
    const std::vector<int> of = taken.read();
    int sum = 0, most = 0;
    for (const int each : of) {
      sum += each;
      most = each > most ? each : most;
    }
    expectEqual("items taken", sum, count);
    expectTrue("no block takes more than four times its share", most <= 4 * count / grid);
  }
  return finish();
}
