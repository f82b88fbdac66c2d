// RUN: %heddle fix %s --only flatten --line 15 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Loops that only a break ends.
#include "../results.cuh"

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1, runs = 0;
  while (true) {
    unsigned length = 0;
    for (;;) {
      x = x * 1664525u + 1013904223u;
      if (x >> 29 == 0)
        break;
      ++length;
    }
    out[threadIdx.x] ^= length << (runs & 15);
    if (++runs > 9)
      break;
  }
}

int main() { printResults(walk); }

// CHECK:         while (true) {
// CHECK-NEXT:      if (!inside) {
// CHECK-NEXT:        length = 0;
// CHECK-NEXT:        inside = true;
// CHECK-NEXT:      }
// CHECK-NEXT:      if (inside) {
// CHECK-NEXT:        do {
// CHECK:             } while (false);
// CHECK-NEXT:      }
// CHECK-NEXT:      if (!inside) {
