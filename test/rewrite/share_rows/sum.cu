// RUN: %heddle fix %s --only share-rows --form "8 lanes" --line 17 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// The plain case: no own values, one sum, and lanes that left before.
#include "../results.cuh"

__device__ unsigned item(unsigned k) { return k * 2654435761u >> 7; }

__global__ void sumRows(unsigned* out) {
  const unsigned row = threadIdx.x;
  if (row > 60 || row % 7 == 3)
    return;
  unsigned sum = 5;
#pragma unroll 1
  for (unsigned k = row * 3; k < row * 3 + row % 11 * 4; ++k)
    sum += item(k); // an item
  out[row] = sum;
}

int main() { printResults(sumRows); }

// CHECK:       unsigned sum = 5;
// CHECK-NEXT:  heddle::share_rows<8>(row * 3, row * 3 + row % 11 * 4, heddle::sum(sum),
// CHECK-NEXT:      [&](unsigned k, unsigned& sum) {
// CHECK-NEXT:    sum += item(k); // an item
// CHECK-NEXT:  });
// CHECK-NEXT:  out[row] = sum;
