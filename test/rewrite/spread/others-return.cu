// RUN: %heddle fix %s --only spread --line 14 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// RUN: %heddle fix %s --only spread --line 16 --block 64 --unproven | cmp - %t
// SPDX-License-Identifier: Apache-2.0
//
// All others return, and the rest of the kernel is for the one thread.
#include "../results.cuh"

__global__ void rest(unsigned* out) {
  const unsigned t = threadIdx.x;
  out[t] = t * 2654435761u >> 9;
  __syncthreads();
  if (t != 0) return;
  unsigned sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += out[k];
  for (int k = 0; k < 64; ++k)
    out[k] = sum - out[k];
  const unsigned low = sum & 31;
  out[low] = sum;
}

int main() { printResults(rest); }

// CHECK:       if (t >= 32) return;
// CHECK-NEXT:  assert(blockDim.x % 32 == 0);
// CHECK-NEXT:  unsigned sum = 0;
// CHECK-NEXT:  heddle::spread(0, 64, heddle::sum(sum), [&](int k, unsigned& sum) {
// CHECK-NEXT:    sum += out[k];
// CHECK-NEXT:  });
// CHECK-NEXT:  heddle::spread(0, 64, heddle::own(sum), [&](int k, const unsigned& sum) {
// CHECK-NEXT:    out[k] = sum - out[k];
// CHECK-NEXT:  });
// CHECK-NEXT:  if (t == 0) {
// CHECK-NEXT:    const unsigned low = sum & 31;
// CHECK-NEXT:    out[low] = sum;
// CHECK-NEXT:  }
