// RUN: %heddle fix %s --only meld --line 20 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// The same loop over other arrays, with something else in front and behind in each arm.
#include "../results.cuh"

__constant__ float rising[16] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ float falling[16] = {8, 7, 6, 5, 4, 3, 2, 1};

__device__ unsigned seed(unsigned a) { return a * 2654435761u; }

__global__ void score(unsigned* out) {
  const unsigned i = threadIdx.x;
  const bool up = seed(i) >> 28 & 1;
  float sum = 0;
  unsigned at = 0;

  if (up) {
    at = seed(i) >> 9;
    at ^= at >> 7;
    int hits = 0;
    for (int k = 0; k < 16; ++k) {
      sum += rising[at + k & 15];
      hits += sum > 20;
    }
    at = hits;
  } else {
    int found = i & 1;
    for (int k = 0; k < 16; ++k) {
      sum += falling[at + k & 15];
      found += sum > 30;
    }
    if (found > 2)
      at = found + 5;
  }
  out[i] = __float_as_uint(sum) + at;
}

int main() { printResults(score); }

// CHECK:          int hits;
// CHECK-NEXT:     const auto array = up ? rising : falling;
// CHECK-NEXT:     const auto limit = up ? 20 : 30;
// CHECK-NEXT:     if (up) {
// CHECK-NEXT:       at = seed(i) >> 9;
// CHECK-NEXT:       at ^= at >> 7;
// CHECK-NEXT:       hits = 0;
// CHECK-NEXT:     } else {
// CHECK-NEXT:       hits = i & 1;
// CHECK-NEXT:     }
// CHECK-NEXT:     for (int k = 0; k < 16; ++k) {
// CHECK-NEXT:       sum += array[at + k & 15];
// CHECK-NEXT:       hits += sum > limit;
// CHECK-NEXT:     }
// CHECK-NEXT:     if (up) {
// CHECK-NEXT:       at = hits;
// CHECK-NEXT:     } else {
// CHECK-NEXT:       if (hits > 2)
// CHECK-NEXT:         at = hits + 5;
// CHECK-NEXT:     }
// CHECK-NEXT:   }
