// SPDX-License-Identifier: Apache-2.0
//
// How many steps of Collatz's rule each number takes to come down to one.
#include "../corpus/common.h"

__host__ __device__ int stepsOf(unsigned start) {
  unsigned long long at = start;
  int steps = 0;
  while (at > 1) {
    at = at % 2 == 0 ? at / 2 : 3 * at + 1;
    ++steps;
  }
  return steps;
}

__global__ void countSteps(int* steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    steps[i] = stepsOf(i + 1);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 400000);
  int* steps = allocate<int>(n);
  countSteps<<<(n + 255) / 256, 256>>>(steps, n);
  std::vector<int> got = download(steps, n);
  bool passed = true;
  for (int i = 0; i < n; i += 97)
    passed &= got[i] == stepsOf(i + 1);
  return verdict(passed);
}
