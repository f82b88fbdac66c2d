// RUN: %heddle fix %s --only spread --line 16 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Items of lists: those that a condition chooses, and all of them.
#include "../results.cuh"

__global__ void lists(unsigned* out) {
  __shared__ unsigned value[64], chosen[64], copy[80];
  __shared__ int number;
  const unsigned t = threadIdx.x;
  value[t] = t * 2654435761u >> 9;
  copy[t] = chosen[t] = 0;
  __syncthreads();
  if (t == 0) {
    number = 0;
    for (int i = 0; i < 64; i++)
      if (value[i] & 1)
        chosen[number++] = i;
    int place = 3;
    for (int i = 1; i < 64; i += 3) {
      const unsigned twice = 2 * value[i];
      copy[place + 2] = twice + place;
      place++;
    }
    unsigned behind = 64;
    for (int i = 0; i < 32; i++) {
      const bool isThird = value[i] % 3 == 0;
      if (isThird && i > 4) {
        copy[behind] = value[i];
        ++behind;
      }
    }
    out[3] = number + place + behind;
  }
  __syncthreads();
  out[t] += chosen[t] + copy[t] + copy[t + 16] + number;
}

int main() { printResults(lists); }

// CHECK:         if (t == 0)
// CHECK-NEXT:      number = 0;
// CHECK-NEXT:    heddle::spread_scan_before(0, 64, number,
// CHECK-NEXT:        [&](int i) {
// CHECK-NEXT:          return value[i] & 1 ? 1 : 0;
// CHECK-NEXT:        },
// CHECK-NEXT:        [&](int i, int number) {
// CHECK-NEXT:          if (value[i] & 1)
// CHECK-NEXT:            chosen[number] = i;
// CHECK-NEXT:        });
// CHECK-NEXT:    int place = 3;
// CHECK-NEXT:    heddle::spread_scan_before<3>(1, 64, place,
// CHECK-NEXT:        [&](int i) {
// CHECK-NEXT:          return 1;
// CHECK-NEXT:        },
// CHECK-NEXT:        [&](int i, int place) {
// CHECK-NEXT:          const unsigned twice = 2 * value[i];
// CHECK-NEXT:          copy[place + 2] = twice + place;
// CHECK-NEXT:        });
// CHECK-NEXT:    unsigned behind = 64;
// CHECK-NEXT:    heddle::spread_scan_before(0, 32, behind,
// CHECK-NEXT:        [&](int i) {
// CHECK-NEXT:          const bool isThird = value[i] % 3 == 0;
// CHECK-NEXT:          return isThird && i > 4 ? 1 : 0;
// CHECK-NEXT:        },
// CHECK-NEXT:        [&](int i, unsigned behind) {
// CHECK-NEXT:          const bool isThird = value[i] % 3 == 0;
// CHECK-NEXT:          if (isThird && i > 4) {
// CHECK-NEXT:            copy[behind] = value[i];
// CHECK-NEXT:          }
// CHECK-NEXT:        });
