// RUN: %heddle fix %s --only spread --line 11 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// The loop is in a function that only the one thread calls.
#include "../results.cuh"

__device__ unsigned total(const unsigned* values, int n) {
  unsigned sum = 0;
  for (int k = 0; k < n; ++k)
    sum += values[k];
  return sum;
}

__global__ void calls(unsigned* out) {
  const unsigned t = threadIdx.x;
  out[t] = t * 2654435761u >> 9;
  __syncthreads();
  if (t == 0) {
    out[3] = total(out, 50);
  }
}

int main() { printResults(calls); }

// CHECK:       if (t < 32) {
// CHECK-NEXT:    assert(blockDim.x % 32 == 0);
// CHECK-NEXT:    {
// CHECK-NEXT:      const unsigned* values = out;
// CHECK-NEXT:      int n = 50;
// CHECK-NEXT:      unsigned sum = 0;
// CHECK-NEXT:      heddle::spread(0, heddle::of_first_lane(n), heddle::own(values), heddle::sum(sum),
// CHECK-NEXT:          [&](int k, const unsigned* values, unsigned& sum) {
// CHECK-NEXT:        sum += values[k];
// CHECK-NEXT:      });
// CHECK-NEXT:      if (t == 0)
// CHECK-NEXT:        out[3] = sum;
// CHECK-NEXT:    }
// CHECK-NEXT:  }
