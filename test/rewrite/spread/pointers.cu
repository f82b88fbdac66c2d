// RUN: %heddle fix %s --only spread --line 15 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// In front of the loop: a pointer to what the block shares, and one to a variable of the branch.
#include "../results.cuh"

__global__ void pointed(unsigned* out) {
  __shared__ unsigned part[64];
  const unsigned t = threadIdx.x;
  part[t] = t * 2654435761u >> 9;
  out[t] = t;
  __syncthreads();
  if (t == 0) {
    unsigned all = 0;
    unsigned* to = &all;
    const unsigned* from = part + 8;
    unsigned sum = 0;
    for (int k = 0; k < 40; ++k)
      sum += from[k];
    *to = sum;
    out[3] = all;
  }
}

int main() { printResults(pointed); }

// CHECK:         unsigned* to = &all;
// CHECK-NEXT:    const unsigned* from = part + 8;
// CHECK-NEXT:    unsigned sum = 0;
// CHECK-NEXT:    heddle::spread(0, 40, heddle::own(from), heddle::sum(sum),
// CHECK-NEXT:        [&](int k, const unsigned* from, unsigned& sum) {
// CHECK-NEXT:      sum += from[k];
// CHECK-NEXT:    });
// CHECK-NEXT:    if (t == 0) {
// CHECK-NEXT:      *to = sum;
// CHECK-NEXT:      out[3] = all;
// CHECK-NEXT:    }
