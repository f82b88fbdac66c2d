// RUN: %heddle fix %s --only refill --form "refilled<4, 8>" --line 16 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// What an item carries is declared in front; what only its beginning uses stays there.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 300)
    return;
  const unsigned start = i * 2654435761u >> 20; // a number for each
  unsigned x = start + 1;
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    ++steps;
  }
  out[i] = steps; // at the end
}

int main() { printResults(apply, 7); }

// CHECK:      __global__ void apply(unsigned* out) {
// CHECK-NEXT:   unsigned x;
// CHECK-NEXT:   int steps;
// CHECK-NEXT:   heddle::refill_tiles<64, 4, 8>(
// CHECK-NEXT:       [&](int i) {
// CHECK-NEXT:         if (i >= 300)
// CHECK-NEXT:           return heddle::flow::skip;
// CHECK-NEXT:         const unsigned start = i * 2654435761u >> 20; // a number for each
// CHECK-NEXT:         x = start + 1;
// CHECK-NEXT:         steps = 0;
// CHECK-NEXT:         return x != 1 ? heddle::flow::proceed : heddle::flow::leave;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](int i) {
// CHECK-NEXT:         x = x % 2 == 0 ? x / 2 : 3 * x + 1;
// CHECK-NEXT:         ++steps;
// CHECK-NEXT:         return x != 1;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](int i) { out[i] = steps; }); // at the end
// CHECK-NEXT: }
