// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 17 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 29 --block 64,1,1 --unproven > %t.own
// RUN: %same_results %s %t.own
// RUN: grep -v CHECK %t.own.cu | FileCheck-19 %s --check-prefix=OWN
// SPDX-License-Identifier: Apache-2.0
//
// Items of a loop may go to any block, unless they use what is the block's own.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  const int step = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < 64 * 7; i += step) {
    const unsigned start = i * 5;
    if (start % 9 != 4)
      continue;
    unsigned x = start;
    for (int k = 0; k < 20; ++k)
      x = x * 5 + k;
    out[i] = x;
  }
}

__global__ void ofBlock(unsigned* out) {
  const unsigned own = blockIdx.x + 3, twice = 2 * own;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 64 * 7; i += gridDim.x * blockDim.x) {
    if (i % 9 != 4)
      continue;
    unsigned x = i;
    for (int k = 0; k < 20; ++k)
      x = x * 5 + k;
    out[i] = x + twice;
  }
}

int main() {
  printResults(apply, 7);
  printResults(ofBlock, 7);
}

// CHECK:      heddle::compact_items<64, 4>(
// OWN:        heddle::compact_range<64, 4>(
