// RUN: %heddle fix %s --only meld --line 16 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// A variable lives across parts, in each arm under another name; what one part hides stays hidden.
#include "../results.cuh"

__device__ unsigned mix(unsigned x) { return (x ^ x >> 13) * 2654435761u; }

__global__ void chain(unsigned* out) {
  const unsigned i = threadIdx.x;
  const unsigned w = i + 5;
  unsigned x = i;

  if (i % 2 == 0) {
    unsigned sum = mix(mix(x) + 1);
    sum += x << 3;
    const unsigned more = w;
    unsigned last = sum;
    last ^= last >> 9;
    x = mix(mix(sum + 7)) ^ more;
    x += mix(mix(last)) ^ last;
  } else {
    unsigned total = mix(mix(x) + 1);
    for (unsigned w = 0; w < 3; ++w)
      total ^= w << x % 8;
    const unsigned more = 9u;
    unsigned end = x * x * x + total / 3;
    x = mix(mix(total + 7)) ^ more;
    x += mix(mix(end)) ^ end;
  }
  out[i] = x + w;
}

int main() { printResults(chain); }

// CHECK:          const bool first = i % 2 == 0;
// CHECK-NEXT:     unsigned more;
// CHECK-NEXT:     unsigned last;
// CHECK-NEXT:     unsigned sum = mix(mix(x) + 1);
// CHECK-NEXT:     if (first) {
// CHECK-NEXT:       sum += x << 3;
// CHECK-NEXT:       more = w;
// CHECK-NEXT:       last = sum;
// CHECK-NEXT:       last ^= last >> 9;
// CHECK-NEXT:     } else {
// CHECK-NEXT:       for (unsigned w = 0; w < 3; ++w)
// CHECK-NEXT:         sum ^= w << x % 8;
// CHECK-NEXT:       more = 9u;
// CHECK-NEXT:       last = x * x * x + sum / 3;
// CHECK-NEXT:     }
// CHECK-NEXT:     x = mix(mix(sum + 7)) ^ more;
// CHECK-NEXT:     x += mix(mix(last)) ^ last;
// CHECK-NEXT:   }
