// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 16 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// What is the same for all blocks stays in front, a table in shared memory with its barrier included. The index leaves it.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  __shared__ unsigned table[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  table[tid] = tid * 2654435761u;
  __syncthreads();
  const unsigned last = gridDim.x - 1;
  if (i % 7 == 3) {
    unsigned x = 0;
    for (int k = 0; k < 10; ++k)
      x ^= table[(i + k * 5) & 63];
    out[i] = x + last;
  }
}

int main() { printResults(apply, 6); }

// CHECK:        const int tid = threadIdx.x;
// CHECK-NEXT:   table[tid] = tid * 2654435761u;
// CHECK-NEXT:   __syncthreads();
// CHECK-NEXT:   const unsigned last = gridDim.x - 1;
// CHECK-NEXT:   heddle::compact_tiles<64, 4>(
// CHECK-NEXT:       [&](int i) { return i % 7 == 3; },
// CHECK-NEXT:       [&](int i) {
// CHECK-NEXT:         unsigned x = 0;
