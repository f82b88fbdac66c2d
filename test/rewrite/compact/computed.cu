// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 18 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// What guard and work both need is computed in both; what one of them needs, there. Comments stay.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  // one item a thread
  const unsigned i = threadIdx.x + 64 * blockIdx.x;
  const unsigned scale = i * 3 + 1; // for the work
  unsigned key = i;
  for (int k = 0; k < 3; ++k)
    key = key * 2654435761u ^ key >> 13;
  if (key == 0) return; // none
  // few have this key
  if (key % 5 != 1) {
    return;
  } // the others go on
  unsigned x = key;
  for (unsigned k = 0; k < scale % 7; ++k) {
    if (x % 11 == 0)
      return;
    x ^= x << 5;
  }
  out[i] = x;
}

int main() { printResults(apply, 6); }

// CHECK:        // one item a thread
// CHECK-NEXT:   heddle::compact_tiles<64, 4>(
// CHECK-NEXT:       [&](unsigned i) {
// CHECK-NEXT:         unsigned key = i;
// CHECK-NEXT:         for (int k = 0; k < 3; ++k)
// CHECK-NEXT:           key = key * 2654435761u ^ key >> 13;
// CHECK-NEXT:         // none
// CHECK-NEXT:         // few have this key
// CHECK-NEXT:         // the others go on
// CHECK-NEXT:         return key != 0 && key % 5 == 1;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](unsigned i) {
// CHECK-NEXT:         const unsigned scale = i * 3 + 1; // for the work
// CHECK-NEXT:         unsigned key = i;
// CHECK-NEXT:         for (int k = 0; k < 3; ++k)
// CHECK-NEXT:           key = key * 2654435761u ^ key >> 13;
// CHECK-NEXT:         unsigned x = key;
// CHECK:              return;
// CHECK:              out[i] = x;
// CHECK-NEXT:       });
