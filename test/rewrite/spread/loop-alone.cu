// RUN: %heddle fix %s --only spread --line 15 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// A loop without braces, asked for by its own line, beside another condition.
#include "../results.cuh"

__device__ unsigned squares[100];

__global__ void fill(unsigned* out) {
  const bool on = gridDim.x == 1;
  out[threadIdx.x] = 3;
  if (on && !threadIdx.x)
    for (int k = 0; k < 100; ++k)
      squares[k] = unsigned(k * k);
  __syncthreads();
  out[threadIdx.x] = squares[threadIdx.x + 20];
}

int main() { printResults(fill); }

// CHECK:       if (on && threadIdx.x < 32)
// CHECK-NEXT:    heddle::spread(0, 100, [&](int k) {
// CHECK-NEXT:      squares[k] = unsigned(k * k);
// CHECK-NEXT:    });
// CHECK-NEXT:  __syncthreads();
