// RUN: %heddle fix %s --only spread --line 18 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// RUN: %heddle fix %s --only spread --line 24 --block 64 --unproven | FileCheck-19 %s --check-prefix=LESS
// RUN: %heddle fix %s --only spread --line 28 --block 64 --unproven | FileCheck-19 %s --check-prefix=RANK
// SPDX-License-Identifier: Apache-2.0
//
// Other ways to ask for the first thread.
#include "../results.cuh"
#include <cooperative_groups.h>

__global__ void ways(unsigned* out) {
  const auto group = cooperative_groups::this_thread_block();
  const unsigned t = threadIdx.x;
  const bool isFirst = 0 == threadIdx.x;
  out[t] = t * 2654435761u >> 9;
  __syncthreads();
  if (isFirst) {
    unsigned sum = 0;
    for (int k = 0; k < 40; ++k)
      sum += out[k];
    out[50] = sum;
  }
  if (t < 1)
    for (int k = 0; k < 20; ++k)
      out[k] += 5;
  __syncthreads();
  if (group.thread_rank() == 0)
    for (int k = 0; k < 20; ++k)
      out[k] ^= 5;
}

int main() { printResults(ways); }

// CHECK:       if (threadIdx.x < 32) {
// CHECK-NEXT:    assert(blockDim.x % 32 == 0);
// CHECK-NEXT:    unsigned sum = 0;
// CHECK-NEXT:    heddle::spread(0, 40, heddle::sum(sum), [&](int k, unsigned& sum) {
// CHECK-NEXT:      sum += out[k];
// CHECK-NEXT:    });
// CHECK-NEXT:    if (isFirst)
// CHECK-NEXT:      out[50] = sum;
// CHECK-NEXT:  }
// LESS:      -  if (t < 1)
// LESS-NEXT: -    for (int k = 0; k < 20; ++k)
// LESS-NEXT: +  if (t < 32)
// LESS-NEXT: +    heddle::spread(0, 20, [&](int k) {
// RANK:      +  if (group.thread_rank() < 32)
