// RUN: %heddle fix %s --only spread --line 16 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Items join into an element of the array that they read, which none of them reads.
#include "../results.cuh"

__global__ void intoFirst(unsigned* out) {
  __shared__ unsigned part[64], most[2][64];
  const unsigned t = threadIdx.x;
  out[t] = t;
  part[t] = t * 2654435761u >> 9;
  most[0][t] = most[1][t] = part[t] % 1000;
  __syncthreads();
  if (t == 0) {
    for (int k = 1; k < 64; k++)
      part[0] += part[k];
    for (unsigned k = 2; k < 62; k += 2)
      if (most[1][k + 1] > most[1][2])
        most[1][2] = most[1][k + 1];
    out[5] = part[0] + most[1][2];
  }
}

int main() { printResults(intoFirst); }

// CHECK:         heddle::spread(1, 64, heddle::sum(part[0]), [&](int k, unsigned int& part2) {
// CHECK-NEXT:      part2 += part[k];
// CHECK-NEXT:    });
// CHECK-NEXT:    heddle::spread<2>(2u, 62, heddle::max_of(most[1][2]), [&](unsigned k, unsigned int& part2) {
// CHECK-NEXT:      if (most[1][k + 1] > part2)
// CHECK-NEXT:        part2 = most[1][k + 1];
// CHECK-NEXT:    });
// CHECK-NEXT:    if (t == 0)
// CHECK-NEXT:      out[5] = part[0] + most[1][2];
