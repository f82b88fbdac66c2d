// RUN: %heddle fix %s --only schedule-iterations --line 9 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
#include "../results.cuh"

__global__ void collatz(unsigned* out) {
  unsigned x = threadIdx.x + 1, steps = 0;
  while (x != 1) {
    if (x % 2 == 0)
      x /= 2;
    else
      x = 3 * x + 1;
    ++steps;
  }
  out[threadIdx.x] = steps;
}

int main() { printResults(collatz); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (x == 1)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        return x % 2 == 0 ? 0 : 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x /= 2;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x = 3 * x + 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        ++steps;
// CHECK-NEXT: +      });
