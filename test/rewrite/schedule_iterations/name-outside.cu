// RUN: %heddle fix %s --only schedule-iterations --line 13 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// `low` is something else behind the loop.
#include "../results.cuh"

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  float low = 2;
  for (int i = 0; i < 30; ++i) {
    const unsigned low = x & 0xff;
    if (low % 3 == 0)
      x += low;
    else
      x = 5 * x + i;
  }
  for (int i = 0; i < 3; ++i)
    x += low;
  out[threadIdx.x] = x;
}

int main() { printResults(walk); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  {
// CHECK-NEXT: +    int i = 0;
// CHECK-NEXT: +    unsigned low;
// CHECK-NEXT: +    heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +        [&] {
// CHECK-NEXT: +          if (i >= 30)
// CHECK-NEXT: +            return heddle::done;
// CHECK-NEXT: +          low = x & 0xff;
// CHECK-NEXT: +          return low % 3 == 0 ? 0 : 1;
// CHECK-NEXT: +        },
// CHECK-NEXT: +        [&] {
// CHECK-NEXT: +          x += low;
// CHECK-NEXT: +        },
// CHECK-NEXT: +        [&] {
// CHECK-NEXT: +          x = 5 * x + i;
// CHECK-NEXT: +        },
// CHECK-NEXT: +        [&] {
// CHECK-NEXT: +          ++i;
// CHECK-NEXT: +        });
