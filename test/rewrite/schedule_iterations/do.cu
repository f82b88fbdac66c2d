// RUN: %heddle fix %s --only schedule-iterations --line 12 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// A `continue` still asks the condition.
#include "../results.cuh"

__global__ void draw(unsigned* out) {
  unsigned x = threadIdx.x, sum = 0;
  do {
    x = x * 1664525u + 1013904223u;
    if (x >> 31)
      sum += x;
    else if (x >> 30)
      continue;
    sum ^= x >> 3;
  } while (x % 11 != 0);
  out[threadIdx.x] = sum;
}

int main() { printResults(draw); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  heddle::scheduled_loop<heddle::aging, 3>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x = x * 1664525u + 1013904223u;
// CHECK-NEXT: +        return x >> 31 ? 0 : x >> 30 ? 1 : 2;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        sum += x;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        return x % 11 != 0 ? heddle::flow::skip : heddle::flow::leave;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {},
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        sum ^= x >> 3;
// CHECK-NEXT: +        return x % 11 != 0 ? heddle::flow::proceed : heddle::flow::leave;
// CHECK-NEXT: +      });
