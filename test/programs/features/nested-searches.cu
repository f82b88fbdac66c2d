// SPDX-License-Identifier: Apache-2.0
// Two searches in a loop, each of which goes down while it has something left, and up again. What
// they count begins alike in all lanes, and lanes that go round again change it while others wait.
#include "../check.h"

__host__ __device__ int search(int id) {
  int hits = 0, other = 0;
  for (int round = 0; round < 2; ++round) {
    unsigned open = id * 5 % 31 + 3;
    for (int depth = 0; depth >= 0;) {
      if (open == 0) {
        --depth;
        continue;
      }
      open &= open - 1;
      if (depth == 2) {
        hits += 3;
        continue;
      }
      ++depth;
    }
    int left = id % 15 + 3;
    for (int depth = 0; depth >= 0;) {
      if (left <= 0) {
        --depth;
        left = 0;
        continue;
      }
      left -= 2;
      if (depth == 1) {
        other = hits + round;
        continue;
      }
      ++depth;
    }
  }
  return hits * 100 + other;
}

__global__ void run(int* out) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  out[id] = search(id);
}

int main() {
  DeviceArray<int> out(128);
  run<<<2, 64>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return search(int(i)); });
  return finish();
}
