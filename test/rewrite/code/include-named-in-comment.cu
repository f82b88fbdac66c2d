// RUN: %heddle fix %s --only schedule-iterations --line 11 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
//
// Could use #include <heddle/schedule.cuh>, but does not yet.
#include <cstdio>

__global__ void kernel(int* out) {
  int x = out[threadIdx.x];
  while (x > 1) {
    x -= 1;
    if (x & 1)
      x /= 3;
    else
      x /= 2;
  }
  out[threadIdx.x] = x;
}

// CHECK:      #include <cstdio>
// CHECK-NEXT: +#include <heddle/schedule.cuh>
