// RUN: %heddle fix %s --only refill --form "refilled<2, 16>" --line 26 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Behind guards that enter; an object that is made from values; asked for by the branch that leaves the loop.
#include "../results.cuh"

struct Random {
  unsigned state;
  __device__ explicit Random(unsigned seed) : state(seed * 2654435761u + 97u) {}
  __device__ unsigned next() {
    state = state * 1664525u + 1013904223u;
    return state >> 16;
  }
};

__global__ void apply(unsigned* out) {
  const unsigned w = threadIdx.x + blockDim.x * blockIdx.x;
  if (w < 300) {
    Random random(w + 1);
    if ((w & 3) != 0) {
      int x = 0, turns = 0;
      while (x * x < 50) {
        x += random.next() & 1 ? 1 : -1;
        if (++turns >= 200) break;
        if (turns % 3 == 0) continue;
        x += turns & 1;
      }
      out[w] = turns;
    }
  }
}

int main() { printResults(apply, 7); }

// CHECK:        Random random = heddle::blank<Random>();
// CHECK-NEXT:   int x;
// CHECK-NEXT:   int turns;
// CHECK-NEXT:   heddle::refill_tiles<64, 2, 16>(
// CHECK-NEXT:       [&](unsigned w) {
// CHECK-NEXT:         if (w >= 300)
// CHECK-NEXT:           return heddle::flow::skip;
// CHECK-NEXT:         random = Random(w + 1);
// CHECK-NEXT:         if ((w & 3) == 0)
// CHECK-NEXT:           return heddle::flow::skip;
// CHECK-NEXT:         x = 0; turns = 0;
// CHECK-NEXT:         return x * x < 50 ? heddle::flow::proceed : heddle::flow::leave;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](unsigned w) {
// CHECK-NEXT:         x += random.next() & 1 ? 1 : -1;
// CHECK-NEXT:         if (++turns >= 200) return false;
// CHECK-NEXT:         if (turns % 3 == 0) return x * x < 50;
// CHECK-NEXT:         x += turns & 1;
// CHECK-NEXT:         return x * x < 50;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](unsigned w) { out[w] = turns; });
// CHECK-NEXT: }
