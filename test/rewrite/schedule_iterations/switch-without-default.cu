// RUN: %heddle fix %s --only schedule-iterations --line 12 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// The way of no label is empty.
#include "../results.cuh"

__global__ void interpret(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  for (int i = 0; i < 30; ++i) {
    x = x * 1664525u + 1013904223u;
    switch (x >> 30) {
    case 1: x += 5; break;
    case 2: x -= 5; if (x % 5 == 0) return; break;
    }
  }
  out[threadIdx.x] = x;
}

int main() { printResults(interpret); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  bool hasReturned = false;
// CHECK-NEXT: +  int i = 0;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 3>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (i >= 30)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        x = x * 1664525u + 1013904223u;
// CHECK-NEXT: +        switch (x >> 30) {
// CHECK-NEXT: +        case 1:
// CHECK-NEXT: +          return 0;
// CHECK-NEXT: +        case 2:
// CHECK-NEXT: +          return 1;
// CHECK-NEXT: +        default:
// CHECK-NEXT: +          return 2;
// CHECK-NEXT: +        }
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += 5;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x -= 5; if (x % 5 == 0) { hasReturned = true; return heddle::flow::leave; }
// CHECK-NEXT: +        return heddle::flow::proceed;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {},
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        ++i;
// CHECK-NEXT: +      });
// CHECK-NEXT: +  if (hasReturned)
// CHECK-NEXT: +    return;
