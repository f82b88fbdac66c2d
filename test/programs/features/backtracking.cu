// SPDX-License-Identifier: Apache-2.0
// A search that goes back and forth in an array of open choices, as solvers of puzzles do: one loop
// with two ways back, in which each lane is at a depth of its own.
#include "../check.h"

// The choices below are the same at every depth.
__host__ __device__ int searchNarrow(int id) {
  unsigned open[6];
  int depth = 0, found = 0;
  open[0] = id | 1;
  while (depth >= 0) {
    if (!open[depth]) {
      --depth;
      continue;
    }
    open[depth] &= open[depth] - 1;
    if (depth == 2) {
      ++found;
      continue;
    }
    ++depth;
    open[depth] = id & 7;
  }
  return found;
}

// The choices below follow from the one taken.
__host__ __device__ int searchWide(int id) {
  int depth = 0, found = 0;
  unsigned open[8];
  open[0] = id * 7 + 1;
  while (depth >= 0) {
    if (!open[depth]) {
      --depth;
      continue;
    }
    const unsigned bit = open[depth] & -open[depth];
    open[depth] ^= bit;
    if (depth == 3) {
      ++found;
      continue;
    }
    open[depth + 1] = (open[depth] * 3 + bit) & 31;
    ++depth;
  }
  return found;
}

__global__ void narrow(int* out) {
  out[threadIdx.x] = searchNarrow(threadIdx.x);
}

__global__ void wide(int* out) {
  out[threadIdx.x] = searchWide(threadIdx.x);
}

int main() {
  DeviceArray<int> narrowOut(32), wideOut(32);
  narrow<<<1, 32>>>(narrowOut);
  CHECK_LAUNCH();
  wide<<<1, 32>>>(wideOut);
  CHECK_LAUNCH();
  expectArray("narrow", narrowOut.read(), [](size_t i) { return searchNarrow(int(i)); });
  expectArray("wide", wideOut.read(), [](size_t i) { return searchWide(int(i)); });
  return finish();
}
