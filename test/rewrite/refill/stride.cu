// RUN: %heddle fix %s --only refill --form "refilled<4, 8, 4>" --line 14 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// A loop over items in strides of the grid, around a `for` that steps before it goes on.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 420; i += gridDim.x * blockDim.x) {
    if (i % 5 == 0)
      continue;
    unsigned x = i;
    for (int k = 0; k < i % 40; ++k) {
      if (k == i % 3)
        continue;
      x = x * 5 + k;
      if (x % 64 == 7)
        break;
    }
    if (x == 77)
      continue;
    out[i] += x;
  }
}

int main() { printResults(apply, 7); }

// CHECK:        unsigned x;
// CHECK-NEXT:   int k;
// CHECK-NEXT:   heddle::refill_items<64, 4, 8, 4>(
// CHECK-NEXT:       420,
// CHECK-NEXT:       [&](int i) {
// CHECK-NEXT:         if (i % 5 == 0)
// CHECK-NEXT:           return heddle::flow::skip;
// CHECK-NEXT:         x = i;
// CHECK-NEXT:         k = 0;
// CHECK-NEXT:         return k < i % 40 ? heddle::flow::proceed : heddle::flow::leave;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](int i) {
// CHECK-NEXT:         if (k == i % 3)
// CHECK-NEXT:           { ++k; return k < i % 40; }
// CHECK-NEXT:         x = x * 5 + k;
// CHECK-NEXT:         if (x % 64 == 7)
// CHECK-NEXT:           return false;
// CHECK-NEXT:         ++k;
// CHECK-NEXT:         return k < i % 40;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](int i) {
// CHECK-NEXT:         if (x == 77)
// CHECK-NEXT:           return;
// CHECK-NEXT:         out[i] += x;
// CHECK-NEXT:       });
// CHECK-NEXT: }
