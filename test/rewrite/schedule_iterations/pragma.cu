// RUN: %heddle fix %s --only schedule-iterations --line 12 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// A pragma goes with the loop that it speaks of.
#include "../results.cuh"

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1;
#pragma unroll 4
  for (int i = 0; i < 30; ++i) {
    if (x % 3 == 0)
      x = x / 3 + 1000;
    else {
#pragma unroll
      for (int k = 0; k < 3; ++k)
        x += k * i;
      x++;
    }
  }
  out[threadIdx.x] = x;
}

int main() { printResults(walk); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  int i = 0;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (i >= 30)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        return x % 3 == 0 ? 0 : 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x = x / 3 + 1000;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK:      +        for (int k = 0; k < 3; ++k)
// CHECK-NEXT: +          x += k * i;
// CHECK-NEXT: +        x++;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        ++i;
// CHECK-NEXT: +      });
