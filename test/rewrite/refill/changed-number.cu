// RUN: %heddle fix %s --only refill --form "refilled<4, 8>" --line 12 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// A number that the item changes is a variable that it carries.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = i;
  while (i % 7 != 3) {
    i = i * 5 % 1009 + 1;
    if (i == at)
      break;
  }
  out[at] = i;
}

int main() { printResults(apply, 7); }

// CHECK:        int i;
// CHECK-NEXT:   int at;
// CHECK-NEXT:   heddle::refill_tiles_at<64, 1, 1, 4, 8>(
// CHECK-NEXT:       [&](uint3 blockIdx, uint3 threadIdx) {
// CHECK-NEXT:         i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT:         at = i;
// CHECK-NEXT:         return i % 7 != 3 ? heddle::flow::proceed : heddle::flow::leave;
// CHECK-NEXT:       },
