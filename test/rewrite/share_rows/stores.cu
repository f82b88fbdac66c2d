// RUN: %heddle fix %s --only share-rows --form "32 lanes" --line 18 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Items that write each to its own place, by a step, and add atomically.
#include "../results.cuh"

__device__ unsigned values[4096], sums[4];

__global__ void scaleRows(unsigned* out) {
  const unsigned row = threadIdx.x;
  unsigned* mine = values + row * 64;
  for (unsigned k = 0; k < 64; ++k)
    mine[k] = k;
  const int length = int(row % 9 * 7);
  const unsigned factor = row + 1;
  for (int k = 0; k < length; k += 2) {
    const int j = k + 1;
    mine[j] += mine[j] * factor;
    atomicAdd(&sums[k & 3], mine[j]);
  }
  unsigned hash = 0;
  for (unsigned k = 0; k < 64; ++k)
    hash = hash * 31 + mine[k];
  __syncthreads();
  out[row] = hash + sums[row & 3];
}

int main() { printResults(scaleRows); }

// CHECK:       const unsigned factor = row + 1;
// CHECK-NEXT:  heddle::share_rows<32, 2>(0, length, heddle::own(mine, factor),
// CHECK-NEXT:      [&](int k, unsigned* mine, const unsigned& factor) {
// CHECK-NEXT:    const int j = k + 1;
// CHECK-NEXT:    mine[j] += mine[j] * factor;
// CHECK-NEXT:    atomicAdd(&sums[k & 3], mine[j]);
// CHECK-NEXT:  });
