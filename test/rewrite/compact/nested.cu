// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 15 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Conditions around the branch, an index of 64 bits, one that is moved on, and another arm, which is done while items are looked at.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  i ^= 1;
  if (i < 400) {
    const unsigned x = unsigned(i) * 2654435761u >> 28;
    if (x > 1)
      if (x < 4) {
        unsigned y = x;
        for (int k = 0; k < 20; ++k)
          y = y * 5 + k;
        out[i] = y;
      } else {
        out[i] = 1;
      }
  }
}

int main() { printResults(apply, 7); }

// CHECK:        heddle::compact_tiles<64, 4>(
// CHECK-NEXT:       [&](long i) {
// CHECK-NEXT:         i ^= 1;
// CHECK-NEXT:         if (i >= 400)
// CHECK-NEXT:           return false;
// CHECK-NEXT:         const unsigned x = unsigned(i) * 2654435761u >> 28;
// CHECK-NEXT:         if (x <= 1)
// CHECK-NEXT:           return false;
// CHECK-NEXT:         if (x < 4)
// CHECK-NEXT:           return true;
// CHECK-NEXT:         out[i] = 1;
// CHECK-NEXT:         return false;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](long i) {
// CHECK-NEXT:         i ^= 1;
// CHECK-NEXT:         const unsigned x = unsigned(i) * 2654435761u >> 28;
// CHECK-NEXT:         unsigned y = x;
