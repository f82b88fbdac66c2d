// RUN: %heddle fix %s --only schedule-iterations --line 11 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// Branches that are all there is in an arm are ways of one choice.
#include "../results.cuh"

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  for (int i = 0; i < 30; ++i) {
    if (x % 2 == 0) {
      if (x % 3 == 0)
        x = x / 6 + 5;
      else
        x /= 2;
    } else {
      if (x % 5 == 0) {
        x = 7 * x + 3;
      }
    }
    x += i;
  }
  out[threadIdx.x] = x;
}

int main() { printResults(walk); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  int i = 0;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 4>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (i >= 30)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        return x % 2 == 0 ? (x % 3 == 0 ? 0 : 1) : x % 5 == 0 ? 2 : 3;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK:      +      },
// CHECK-NEXT: +      [&] {
// CHECK:      +      },
// CHECK-NEXT: +      [&] {
// CHECK:      +      },
// CHECK-NEXT: +      [&] {},
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += i;
// CHECK-NEXT: +        ++i;
// CHECK-NEXT: +      });
