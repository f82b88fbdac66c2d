// RUN: %heddle fix %s --only meld --line 21 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Both arms begin with the same statements. What they store could change the condition, which is
// evaluated first.
#include "../results.cuh"

__device__ unsigned draw(unsigned key, int rounds) {
  for (int r = 0; r < rounds; ++r)
    key = (key ^ key >> 15) * 2246822519u + 1;
  return key;
}

__global__ void events(unsigned* out) {
  __shared__ unsigned waited[64];
  const unsigned c = threadIdx.x;
  out[c] = c * 7;
  unsigned size = c;
  if (out[c] % 3 == 0) {
    unsigned w = draw(c, 40);
    out[c] = w;
    size = size + 1 + w % (size + 1);
  } else {
    unsigned w = draw(c, 40);
    out[c] = w;
    size = size > 1 + w % 5 ? size - 1 - w % 5 : 0;
  }
  waited[c] = size;
  __syncthreads();
  out[c] ^= waited[63 - c];
}

int main() { printResults(events); }

// CHECK:          const bool first = out[c] % 3 == 0;
// CHECK-NEXT:     unsigned w = draw(c, 40);
// CHECK-NEXT:     out[c] = w;
// CHECK-NEXT:     if (first)
// CHECK-NEXT:       size = size + 1 + w % (size + 1);
// CHECK-NEXT:     else
// CHECK-NEXT:       size = size > 1 + w % 5 ? size - 1 - w % 5 : 0;
// CHECK-NEXT:   }
