// RUN: %heddle fix %s --only schedule-iterations --line 14 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// Code stands behind the loop, which a thread that has returned must not run.
#include "../results.cuh"

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  for (int i = 0; i < 30; ++i) {
    x = x * 1664525u + 1013904223u;
    if (x % 37 == 1)
      return;
    if (x % 3 == 0) {
      x += 7;
      if (x % 11 == 0) {
        out[threadIdx.x] = i;
        return;
      }
    } else {
      x ^= x >> 5;
    }
  }
  out[threadIdx.x] = x;
}

int main() { printResults(walk); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  bool hasReturned = false;
// CHECK-NEXT: +  int i = 0;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (i >= 30)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        x = x * 1664525u + 1013904223u;
// CHECK-NEXT: +        if (x % 37 == 1)
// CHECK-NEXT: +          { hasReturned = true; return heddle::done; }
// CHECK-NEXT: +        return x % 3 == 0 ? 0 : 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += 7;
// CHECK-NEXT: +        if (x % 11 == 0) {
// CHECK-NEXT: +          out[threadIdx.x] = i;
// CHECK-NEXT: +          { hasReturned = true; return heddle::flow::leave; }
// CHECK-NEXT: +        }
// CHECK-NEXT: +        return heddle::flow::proceed;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x ^= x >> 5;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        ++i;
// CHECK-NEXT: +      });
// CHECK-NEXT: +  if (hasReturned)
// CHECK-NEXT: +    return;
