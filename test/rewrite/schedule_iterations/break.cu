// RUN: %heddle fix %s --only schedule-iterations --line 12 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
#include "../results.cuh"

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  while (true) {
    x = x * 1664525u + 1013904223u;
    if (x % 37 == 1)
      break;
    if (x % 3 == 0) {
      x += 7;
      if (x % 11 == 0)
        break;
    } else {
      x ^= x >> 5;
    }
    if (x % 13 == 0)
      break;
  }
  out[threadIdx.x] = x;
}

int main() { printResults(walk); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x = x * 1664525u + 1013904223u;
// CHECK-NEXT: +        if (x % 37 == 1)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        return x % 3 == 0 ? 0 : 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += 7;
// CHECK-NEXT: +        if (x % 11 == 0)
// CHECK-NEXT: +          return heddle::flow::leave;
// CHECK-NEXT: +        return heddle::flow::proceed;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x ^= x >> 5;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (x % 13 == 0)
// CHECK-NEXT: +          return heddle::flow::leave;
// CHECK-NEXT: +        return heddle::flow::proceed;
// CHECK-NEXT: +      });
