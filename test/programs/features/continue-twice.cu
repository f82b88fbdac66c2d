// SPDX-License-Identifier: Apache-2.0
// A loop with two ways back: lanes that take either meet in the next iteration with values of their
// own, though all begin with the same.
#include "../check.h"

__host__ __device__ int walk(int id) {
  int depth = 0, found = 0, left = id + 3;
  while (depth >= 0) {
    if (left <= 0) {
      --depth;
      left = 0;
      continue;
    }
    left -= 2;
    if (depth == 3) {
      ++found;
      continue;
    }
    ++depth;
  }
  return found * 100 + left;
}

__global__ void run(int* out) {
  out[threadIdx.x] = walk(threadIdx.x);
}

int main() {
  DeviceArray<int> out(32);
  run<<<1, 32>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return walk(int(i)); });
  return finish();
}
