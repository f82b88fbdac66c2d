// RUN: %heddle fix %s --only spread --line 18 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// The first thread of the block sums what all have written; what stands behind is its own.
#include "../results.cuh"

__global__ void sumAll(unsigned* out) {
  __shared__ unsigned part[64];
  const unsigned t = threadIdx.x;
  part[t] = t * 2654435761u >> 9;
  out[t] = t;
  __syncthreads();
  if (t == 1)
    return;
  const unsigned n = blockDim.x - 3;
  if (t == 0) {
    // all of them
    unsigned sum = 0, best = 0;
    int at = -1;
    for (unsigned k = 0; k < n; ++k) {
      sum += part[k];
      if (part[k] > best) {
        best = part[k];
        at = int(k);
      }
    }
    // the result
    out[0] = sum;
    out[2] = best + at;
  }
}

int main() { printResults(sumAll); }

// CHECK:       if (t < 32) {
// CHECK-NEXT:    assert(blockDim.x % 32 == 0);
// CHECK-NEXT:    // all of them
// CHECK-NEXT:    unsigned sum = 0, best = 0;
// CHECK-NEXT:    int at = -1;
// CHECK-NEXT:    heddle::spread(0u, n, heddle::sum(sum), heddle::largest(best, at),
// CHECK-NEXT:        [&](unsigned k, unsigned& sum, unsigned& best, int& at) {
// CHECK-NEXT:      sum += part[k];
// CHECK-NEXT:      if (part[k] > best) {
// CHECK-NEXT:        best = part[k];
// CHECK-NEXT:        at = int(k);
// CHECK-NEXT:      }
// CHECK-NEXT:    });
// CHECK-NEXT:    // the result
// CHECK-NEXT:    if (t == 0) {
// CHECK-NEXT:      out[0] = sum;
// CHECK-NEXT:      out[2] = best + at;
// CHECK-NEXT:    }
// CHECK-NEXT:  }
