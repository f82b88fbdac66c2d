// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 15 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// A loop over items in strides of the grid. What comes behind it stays.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  const int n = 64 * 7, step = gridDim.x * blockDim.x;
  const int first = blockDim.x * blockIdx.x + threadIdx.x;
  for (int i = first; i < n * 3; i += step) {
    if (i >= n)
      continue;
    if (i % 5 == 0) {
      out[i] = 5;
      continue;
    }
    unsigned x = i;
    for (int k = 0; k < 20; ++k) {
      if (k == i % 3)
        continue;
      x = x * 5 + k;
    }
    if (x == 77)
      continue;
    out[i] += x;
  }
  atomicAdd(&out[0], 1u);
}

int main() { printResults(apply, 7); }

// CHECK:        heddle::compact_range<64, 4>(
// CHECK-NEXT:       n * 3,
// CHECK-NEXT:       [&](int i) {
// CHECK-NEXT:         if (i >= n)
// CHECK-NEXT:           return false;
// CHECK-NEXT:         if (i % 5 == 0) {
// CHECK-NEXT:           out[i] = 5;
// CHECK-NEXT:           return false;
// CHECK-NEXT:         }
// CHECK-NEXT:         return true;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](int i) {
// CHECK-NEXT:         unsigned x = i;
// CHECK-NEXT:         for (int k = 0; k < 20; ++k) {
// CHECK-NEXT:           if (k == i % 3)
// CHECK-NEXT:             continue;
// CHECK-NEXT:           x = x * 5 + k;
// CHECK-NEXT:         }
// CHECK-NEXT:         if (x == 77)
// CHECK-NEXT:           return;
// CHECK-NEXT:         out[i] += x;
// CHECK-NEXT:       });
// CHECK-NEXT:   atomicAdd(&out[0], 1u);
