// RUN: %heddle fix %s --only meld --line 16 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Pragmas and comments go with their statements, and jumps still mean the loop around the branch.
#include "../results.cuh"

__device__ unsigned mix(unsigned x) { return (x ^ x >> 13) * 2654435761u; }

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x;
  for (int turn = 0; turn < 20; ++turn) {
    x = mix(x);

    if (x & 64) {
      // often
      if ((x & 7) == 7)
        break;
#pragma unroll
      for (int k = 0; k < 4; ++k)
        x = mix(x + k);
      x ^= 5; // the end
    } else {
      if ((x & 3) == 1)
        continue;
#pragma unroll
      for (int k = 0; k < 4; ++k)
        x = mix(x + k);
    }
    x += turn;
  }
  out[threadIdx.x] = x;
}

int main() { printResults(walk); }

// CHECK:          const bool first = x & 64;
// CHECK-NEXT:     if (first) {
// CHECK-NEXT:       // often
// CHECK-NEXT:       if ((x & 7) == 7)
// CHECK-NEXT:         break;
// CHECK-NEXT:     } else {
// CHECK-NEXT:       if ((x & 3) == 1)
// CHECK-NEXT:         continue;
// CHECK-NEXT:     }
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT:     for (int k = 0; k < 4; ++k)
// CHECK-NEXT:       x = mix(x + k);
// CHECK-NEXT:     if (first)
// CHECK-NEXT:       x ^= 5; // the end
// CHECK-NEXT:     x += turn;
