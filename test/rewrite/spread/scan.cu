// RUN: %heddle fix %s --only spread --line 18 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Prefix sums of each kind, between them what only one thread may do, and a total in shared memory.
#include "../results.cuh"

__device__ unsigned short steps[100];

__global__ void offsets(unsigned* out) {
  __shared__ unsigned part[64], start[66], total;
  const unsigned t = threadIdx.x;
  part[t] = t * 2654435761u >> 27;
  out[t] = t;
  steps[t] = t * 77;
  __syncthreads();
  if (t == 0) {
    start[0] = 0;
    for (int k = 1; k <= 64; ++k)
      start[k] = start[k - 1] + part[k - 1];
    unsigned sum = 5;
    for (int k = 0; k < 64; ++k) {
      const unsigned own = part[k], twice = 2 * own;
      part[k] = sum;
      sum += twice;
    }
    short last = 3;
    for (unsigned k = start[2] & 1; k < 64; ++k) {
      last += steps[k];
      steps[k] = last;
    }
    total = sum;
    for (int k = 63; k >= 0; --k)
      total += part[k];
    out[3] = total + last;
  }
  __syncthreads();
  out[t] += part[t] + start[t + 1] + steps[t] + total;
}

int main() { printResults(offsets); }

// CHECK:        if (t < 32) {
// CHECK-NEXT:     assert(blockDim.x % 32 == 0);
// CHECK-NEXT:     if (t == 0)
// CHECK-NEXT:       start[0] = 0;
// CHECK-NEXT:     heddle::spread_scan_from(1, 64 + 1, start[0],
// CHECK-NEXT:         [&](int k) {
// CHECK-NEXT:           return part[k - 1];
// CHECK-NEXT:         },
// CHECK-NEXT:         [&](int k, unsigned int sum2) {
// CHECK-NEXT:           start[k] = sum2;
// CHECK-NEXT:         });
// CHECK-NEXT:     unsigned sum = 5;
// CHECK-NEXT:     heddle::spread_scan_before(0, 64, sum,
// CHECK-NEXT:         [&](int k) {
// CHECK-NEXT:           const unsigned own = part[k], twice = 2 * own;
// CHECK-NEXT:           return twice;
// CHECK-NEXT:         },
// CHECK-NEXT:         [&](int k, unsigned sum) {
// CHECK-NEXT:           part[k] = sum;
// CHECK-NEXT:         });
// CHECK-NEXT:     short last = 3;
// CHECK-NEXT:     heddle::spread_scan(heddle::of_first_lane(start[2] & 1), 64, last,
// CHECK-NEXT:         [&](unsigned k) {
// CHECK-NEXT:           return steps[k];
// CHECK-NEXT:         },
// CHECK-NEXT:         [&](unsigned k, short last) {
// CHECK-NEXT:           steps[k] = last;
// CHECK-NEXT:         });
// CHECK-NEXT:     if (t == 0)
// CHECK-NEXT:       total = sum;
// CHECK-NEXT:     heddle::spread<-1>(63, -1, heddle::sum(total), [&](int k, unsigned int& total) {
// CHECK-NEXT:       total += part[k];
// CHECK-NEXT:     });
// CHECK-NEXT:     if (t == 0)
// CHECK-NEXT:       out[3] = total + last;
// CHECK-NEXT:   }
// CHECK-NEXT:   __syncthreads();
