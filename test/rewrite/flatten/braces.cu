// RUN: %heddle fix %s --only flatten --line 16 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Loops without braces, in a template, with a condition that changes something and names that are used behind them.
#include "../results.cuh"

__device__ bool draw(unsigned& x) { return (x = x * 1664525u + 1013904223u) >> 30 != 0; }

template <class T>
__device__ T walk(T x) {
  T steps = 0;
  if (x != 5)
    for (T i = 0; i < 10 + x % 4; ++i)
      while (draw(x))
        ++steps;
  for (T i = 0; i < 3; ++i)
    steps += i;
  return steps ^ x;
}

__global__ void walkAll(unsigned* out) { out[threadIdx.x] = walk(threadIdx.x); }

int main() { printResults(walkAll); }

// CHECK:        if (x != 5)
// CHECK-NEXT:      {
// CHECK-NEXT:        T i = 0;
// CHECK-NEXT:        bool inside = false;
// CHECK-NEXT:        while (inside || i < 10 + x % 4) {
// CHECK-NEXT:          if (!inside) {
// CHECK-NEXT:            inside = draw(x);
// CHECK-NEXT:          }
// CHECK-NEXT:          if (inside) {
// CHECK-NEXT:            ++steps;
// CHECK-NEXT:            inside = draw(x);
// CHECK-NEXT:          }
// CHECK-NEXT:          if (!inside) {
// CHECK-NEXT:            ++i;
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
