// RUN: %heddle fix %s --only spread --line 21 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// The place of the largest value, the smallest from behind, the last that meets a condition, and
// what has been set by whoever came last.
#include "../results.cuh"

__device__ unsigned lastOdd;

__global__ void pick(unsigned* out) {
  __shared__ float value[64];
  __shared__ unsigned code[64];
  const unsigned t = threadIdx.x, block = blockIdx.x;
  // equal values, NaNs and zeros of both signs among them
  const unsigned bits = (t + 31 * block) * 2654435761u >> 20;
  value[t] = bits % 5 == 0 ? nanf("") : bits % 7 == 0 ? -0.0f : float(bits % 11) * (t & 1 ? 1 : -0.0f);
  code[t] = bits;
  __syncthreads();
  if (t == 0) {
    int best = block % 3, least = 63, last = -1, kind = 7, at = 5;
    for (int i = 0; i < 64; ++i)
      if (value[i] > value[best])
        best = i;
    for (int i = 62; i >= 0; --i)
      if (code[least] > code[i])
        least = i;
    for (int i = 0; i < 50; i++) {
      if (code[i] % 16 == block) {
        last = code[i];
        at = i;
      }
      if (code[i] % 8 == 3)
        kind = 1;
      else if (code[i] % 8 == 2)
        kind = 2;
      if (code[i] & 1)
        lastOdd = code[i] + block;
    }
    out[block] = best * 64 + least + (last + kind) * 65536 + at * 9 + lastOdd * 7;
  }
}

int main() { printResults(pick, 1); }

// CHECK:         heddle::spread(0, 64, heddle::largest_at(best, [&](int i) { return value[i]; }),
// CHECK-NEXT:        [&](int i, int& best) {
// CHECK-NEXT:      if (value[i] > value[best])
// CHECK-NEXT:        best = i;
// CHECK-NEXT:    });
// CHECK-NEXT:    heddle::spread<-1>(62, -1, heddle::smallest_at(least, [&](int i) { return code[i]; }),
// CHECK-NEXT:        [&](int i, int& least) {
// CHECK-NEXT:      if (code[least] > code[i])
// CHECK-NEXT:        least = i;
// CHECK-NEXT:    });
// CHECK-NEXT:    heddle::spread(0, 50, heddle::last(last, at, kind, lastOdd),
// CHECK-NEXT:        [&](int i, auto& last, auto& at, auto& kind, auto& lastOdd) {
// CHECK-NEXT:      if (code[i] % 16 == block) {
// CHECK-NEXT:        last = code[i];
// CHECK-NEXT:        at = i;
// CHECK-NEXT:      }
