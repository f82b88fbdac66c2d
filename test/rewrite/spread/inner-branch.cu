// RUN: %heddle fix %s --only spread --line 16 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Loops in a block and in branches that all lanes decide alike.
#include "../results.cuh"

__device__ unsigned limits[3] = {3, 9, 4};

__global__ void inside(unsigned* out) {
  const unsigned t = threadIdx.x;
  const bool isWide = blockDim.x > 40;
  out[t] = t * 2654435761u >> 9;
  __syncthreads();
  if (t == 0) {
    unsigned all = 0;
    if (isWide) {
      unsigned sum = 3;
      for (int k = 0; k < 40; ++k)
        sum += out[k];
      all = sum;
      out[7] = sum;
    }
    if (limits[blockIdx.x] == 3)
      for (int k = 0; k < 40; ++k)
        out[k] ^= 5;
    out[50] = all;
  }
}

int main() { printResults(inside); }

// CHECK:         unsigned all = 0;
// CHECK-NEXT:    if (isWide) {
// CHECK-NEXT:      unsigned sum = 3;
// CHECK-NEXT:      heddle::spread(0, 40, heddle::sum(sum), [&](int k, unsigned& sum) {
// CHECK-NEXT:        sum += out[k];
// CHECK-NEXT:      });
// CHECK-NEXT:      all = sum;
// CHECK-NEXT:      if (t == 0)
// CHECK-NEXT:        out[7] = sum;
// CHECK-NEXT:    }
// CHECK-NEXT:    if (limits[blockIdx.x] == 3)
// CHECK-NEXT:      heddle::spread(0, 40, [&](int k) {
// CHECK-NEXT:        out[k] ^= 5;
// CHECK-NEXT:      });
// CHECK-NEXT:    if (t == 0)
// CHECK-NEXT:      out[50] = all;
