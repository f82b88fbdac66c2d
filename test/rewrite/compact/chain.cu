// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 16 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Of a chain the longest way is the work. Threads that leave at the branch do something first.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 9 == 0) {
    out[i] = 9;
    return;
  }
  const unsigned kind = i * 40503u >> 3 & 3;
  if (kind == 0) {
    out[i] = 1;
  } else if (kind == 1) {
    unsigned x = i;
    for (int k = 0; k < 30; ++k)
      x = (x ^ k) * 1664525u + kind * x;
    out[i] = x;
  } else if (kind == 2)
    out[i] = 2;
  else
    out[i] = kind;
}

int main() { printResults(apply, 6); }

// CHECK:        heddle::compact_tiles<64, 4>(
// CHECK-NEXT:       [&](unsigned i) {
// CHECK-NEXT:         if (i % 9 == 0) {
// CHECK-NEXT:           out[i] = 9;
// CHECK-NEXT:           return false;
// CHECK-NEXT:         }
// CHECK-NEXT:         const unsigned kind = i * 40503u >> 3 & 3;
// CHECK-NEXT:         if (kind == 0) {
// CHECK-NEXT:           out[i] = 1;
// CHECK-NEXT:           return false;
// CHECK-NEXT:         }
// CHECK-NEXT:         if (kind == 1)
// CHECK-NEXT:           return true;
// CHECK-NEXT:         if (kind == 2) {
// CHECK-NEXT:           out[i] = 2;
// CHECK-NEXT:           return false;
// CHECK-NEXT:         }
// CHECK-NEXT:         out[i] = kind;
// CHECK-NEXT:         return false;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](unsigned i) {
// CHECK-NEXT:         const unsigned kind = i * 40503u >> 3 & 3;
// CHECK-NEXT:         unsigned x = i;
