// RUN: %heddle fix %s --only schedule-iterations --line 13 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
//
// An include behind the kernels is no place for another one that they need.
#include <cstddef>

struct Pair; // an include may stand behind that

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

#include <cstdio>

int main() { std::puts("nothing"); }

// CHECK:      #include <cstddef>
// CHECK-NEXT: +#include <heddle/schedule.cuh>
// CHECK-NOT:  #include
