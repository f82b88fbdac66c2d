// RUN: %heddle fix %s --only schedule-iterations --line 12 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
#include "../results.cuh"

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  do {
    x = x * 1664525u + 1013904223u;
    if (x % 4 == 0)
      continue;
    if (x % 3 == 0)
      x += 7;
    else
      x ^= x >> 5;
  } while (x % 8 != 0);
  out[threadIdx.x] = x;
}

int main() { printResults(walk); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        do {
// CHECK-NEXT: +          x = x * 1664525u + 1013904223u;
// CHECK-NEXT: +          if (x % 4 == 0)
// CHECK-NEXT: +            continue;
// CHECK-NEXT: +          return x % 3 == 0 ? 0 : 1;
// CHECK-NEXT: +        } while (x % 8 != 0);
// CHECK-NEXT: +        return heddle::done;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += 7;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x ^= x >> 5;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        return x % 8 != 0 ? heddle::flow::proceed : heddle::flow::leave;
// CHECK-NEXT: +      });
