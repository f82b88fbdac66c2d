// RUN: %heddle fix %s --only spread --line 16 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// One lane of each warp, two loops, of which the second needs what the first has found, and a store
// for each item.
#include "../results.cuh"

__device__ unsigned table[96];
const int items = 30;
__global__ void ofWarp(unsigned* out) {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  out[threadIdx.x] = threadIdx.x * 7;
  __syncwarp();
  if (lane == 0) {
    unsigned least = ~0u;
    for (int k = 0; k < 32; ++k)
      least = min(least, out[warp * 32 + k] ^ 21);
    const unsigned base = least + 3;
    for (int k = 0; k < items; ++k)
      table[warp * 32 + k] = base * k;
    out[warp] = table[warp * 32 + 29] + table[warp * 32 + 7];
  }
}

int main() { printResults(ofWarp); }

// CHECK:       __syncwarp();
// CHECK-NEXT:  {
// CHECK-NEXT:    assert(blockDim.x % 32 == 0);
// CHECK-NEXT:    unsigned least = ~0u;
// CHECK-NEXT:    heddle::spread(0, 32, heddle::own(warp), heddle::min_of(least),
// CHECK-NEXT:        [&](int k, const int& warp, unsigned& least) {
// CHECK-NEXT:      least = min(least, out[warp * 32 + k] ^ 21);
// CHECK-NEXT:    });
// CHECK-NEXT:    const unsigned base = least + 3;
// CHECK-NEXT:    heddle::spread(0, items, heddle::own(warp, base),
// CHECK-NEXT:        [&](int k, const int& warp, const unsigned& base) {
// CHECK-NEXT:      table[warp * 32 + k] = base * k;
// CHECK-NEXT:    });
// CHECK-NEXT:    if (lane == 0)
// CHECK-NEXT:      out[warp] = table[warp * 32 + 29] + table[warp * 32 + 7];
// CHECK-NEXT:  }
