// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 16 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// What both ways end in is done by both functions, but for threads that left before.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 400)
    return;
  unsigned x = 3;
  const unsigned kind = i * 40503u >> 3 & 7;
  // few are of this kind
  if (kind == 2) {
    for (int k = 0; k < 30; ++k)
      x = x * 1664525u + i;
    if (x % 5 == 0)
      return;
  } else if (kind == 3) {
    out[i] = 4;
    return;
  }
  const unsigned last = x >> 3; // the same for all
  out[i] = last + 1;
}

int main() { printResults(apply, 7); }

// CHECK:              if (i >= 400)
// CHECK-NEXT:           return false;
// CHECK-NEXT:         unsigned x = 3;
// CHECK-NEXT:         const unsigned kind = i * 40503u >> 3 & 7;
// CHECK-NEXT:         // few are of this kind
// CHECK-NEXT:         if (kind == 2)
// CHECK-NEXT:           return true;
// CHECK-NEXT:         if (kind == 3) {
// CHECK-NEXT:           out[i] = 4;
// CHECK-NEXT:           return false;
// CHECK-NEXT:         }
// CHECK-NEXT:         const unsigned last = x >> 3; // the same for all
// CHECK-NEXT:         out[i] = last + 1;
// CHECK-NEXT:         return false;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](unsigned i) {
// CHECK-NEXT:         unsigned x = 3;
// CHECK-NEXT:         for (int k = 0; k < 30; ++k)
// CHECK-NEXT:           x = x * 1664525u + i;
// CHECK-NEXT:         if (x % 5 == 0)
// CHECK-NEXT:           return;
// CHECK-NEXT:         const unsigned last = x >> 3; // the same for all
// CHECK-NEXT:         out[i] = last + 1;
// CHECK-NEXT:       });
