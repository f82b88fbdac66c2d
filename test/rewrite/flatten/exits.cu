// RUN: %heddle fix %s --only flatten --line 17 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Each loop is left and gone on with, and the kernel returned from, in every part. Asked at the branch that breaks.
#include "../results.cuh"

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x * 2654435761u + 1;
  for (int i = 0; i < 40; ++i) {
    if (x % 7 == 0)
      continue;
    if (x % 101 == 0)
      break;
    for (unsigned k = 0; k < x % 13; ++k) {
      if (x % 5 == 0)
        break;
      x = x * 1664525u + k;
      if (x % 3 == 0)
        continue;
      switch (x % 4) {
      case 0:
        x += 3;
        break;
      default:
        x ^= k;
      }
      if (x == 12345)
        return;
    }
    if (x % 11 == 0)
      continue;
    if (x % 97 == 0)
      break;
    x += i;
    out[threadIdx.x] = x;
  }
  out[threadIdx.x] ^= x + 1;
}

int main() { printResults(walk); }

// CHECK:         int i = 0;
// CHECK-NEXT:    unsigned k;
// CHECK-NEXT:    bool inside = false;
// CHECK-NEXT:    while (inside || i < 40) {
// CHECK-NEXT:      if (!inside) {
// CHECK-NEXT:        if (x % 7 == 0)
// CHECK-NEXT:          { ++i; continue; }
// CHECK-NEXT:        if (x % 101 == 0)
// CHECK-NEXT:          break;
// CHECK-NEXT:        k = 0;
// CHECK-NEXT:        inside = k < x % 13;
// CHECK-NEXT:      }
// CHECK-NEXT:      if (inside) {
// CHECK-NEXT:        do {
// CHECK-NEXT:          if (x % 5 == 0)
// CHECK-NEXT:            { inside = false; break; }
// CHECK-NEXT:          x = x * 1664525u + k;
// CHECK-NEXT:          if (x % 3 == 0)
// CHECK-NEXT:            continue;
// CHECK:                 break;
// CHECK:                 return;
// CHECK-NEXT:        } while (false);
// CHECK-NEXT:        if (inside) {
// CHECK-NEXT:          ++k;
// CHECK-NEXT:          inside = k < x % 13;
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      if (!inside) {
// CHECK-NEXT:        if (x % 11 == 0)
// CHECK-NEXT:          { ++i; continue; }
// CHECK-NEXT:        if (x % 97 == 0)
// CHECK-NEXT:          break;
