// SPDX-License-Identifier: Apache-2.0
// Threads poll several cells in turn until all are set, each by another block: a wait whose state
// repeats after some rounds, not after one.
#include "../check.h"

__global__ void settle(volatile int* cells, int n) {
  int missing;
  do {
    missing = 0;
    for (int i = blockIdx.x; i < n; i += gridDim.x)
      if (cells[i] == 0) {
        if (i + 1 == n || cells[i + 1] != 0)
          cells[i] = 1;
        else
          missing = 1;
      }
  } while (missing);
}

int main() {
  constexpr int n = 64;
  DeviceArray<int> cells(n);
  CHECK_CUDA(cudaMemset(cells, 0, n * sizeof(int)));
  settle<<<16, 32>>>(cells, n);
  CHECK_LAUNCH();
  expectArray("cells", cells.read(), [](size_t) { return 1; });
  return finish();
}
