// RUN: %heddle fix %s --only schedule-iterations --line 15 --unproven > %t.diff && FileCheck-19 %s < %t.diff
/* SPDX-License-Identifier: Apache-2.0
 *
 * An include goes behind the guard of a header, not in front of it.
 */
#ifndef STEPS_CUH
#define STEPS_CUH

inline __device__ int third(int x) { return x / 3; }

__global__ void kernel(int* out) {
  int x = out[threadIdx.x];
  while (x > 1) {
    x -= 1;
    if (x & 1)
      x = third(x);
    else
      x /= 2;
  }
  out[threadIdx.x] = x;
}

#endif

// CHECK:      #define STEPS_CUH
// CHECK-NEXT: {{^ $}}
// CHECK-NEXT: +#include <heddle/schedule.cuh>
