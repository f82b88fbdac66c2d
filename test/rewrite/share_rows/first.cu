// RUN: %heddle fix %s --only share-rows --form "16 lanes" --line 16 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// The first item that fits ends the row.
#include "../results.cuh"

__device__ unsigned item(unsigned k) { return k * 2654435761u >> 24; }

__global__ void findFirst(unsigned* out) {
  const unsigned row = threadIdx.x, end = row * 3 + row % 11 * 4;
  unsigned at = 777;
  bool found = false;
  unsigned k = row * 3;
  while (k < end) {
    if (item(k) % 16 == row % 16) {
      at = k;
      found = true;
      break;
    }
    k++;
  }
  out[row] = at * 2 + found;
}

int main() { printResults(findFirst); }

// CHECK:       heddle::share_rows<16>(k, end, heddle::own(row), heddle::first(at, found),
// CHECK-NEXT:      [&](unsigned k, const unsigned& row, unsigned& at, bool& found) {
// CHECK-NEXT:    if (item(k) % 16 == row % 16) {
// CHECK-NEXT:      at = k;
// CHECK-NEXT:      found = true;
// CHECK-NEXT:      return true;
// CHECK-NEXT:    }
// CHECK-NEXT:    return false;
// CHECK-NEXT:  });
