// RUN: %heddle fix %s --only flatten --line 14 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Loops that test last run once at least. `inside` is taken already.
#include "../results.cuh"

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1, inside = 0;
  do {
    if (x % 9 == 0)
      continue;
    do {
      x = x * 1664525u + 1013904223u;
    } while (x >> 29 != 0);
    ++inside;
  } while (inside < 20 && (x += 5, x % 19 != 0));
  out[threadIdx.x] = x + inside;
}

int main() { printResults(walk); }

// CHECK:         bool inside2 = false;
// CHECK-NEXT:    do {
// CHECK-NEXT:      if (!inside2) {
// CHECK-NEXT:        if (x % 9 == 0)
// CHECK-NEXT:          continue;
// CHECK-NEXT:        inside2 = true;
// CHECK-NEXT:      }
// CHECK-NEXT:      if (inside2) {
// CHECK-NEXT:        x = x * 1664525u + 1013904223u;
// CHECK-NEXT:        inside2 = x >> 29 != 0;
// CHECK-NEXT:      }
// CHECK-NEXT:      if (!inside2) {
// CHECK-NEXT:        ++inside;
// CHECK-NEXT:      }
// CHECK-NEXT:    } while (inside2 || (inside < 20 && (x += 5, x % 19 != 0)));
