// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 19 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Guards in a row become one test, and the index an argument.
#include "../results.cuh"

__device__ unsigned work(unsigned x) {
  for (int j = 0; j < 9; ++j)
    x = x * 1664525u + 1013904223u;
  return x;
}

__global__ void apply(unsigned* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 300)
    return;
  if (!(i & 4) || work(i) % 3 == 0)
    return;
  out[i] = work(i);
}

int main() { printResults(apply, 7); }

// CHECK:      __global__ void apply(unsigned* out) {
// CHECK-NEXT:   heddle::compact_tiles<64, 4>(
// CHECK-NEXT:       [&](int i) { return i < 300 && (i & 4) && work(i) % 3 != 0; },
// CHECK-NEXT:       [&](int i) { out[i] = work(i); });
// CHECK-NEXT: }
