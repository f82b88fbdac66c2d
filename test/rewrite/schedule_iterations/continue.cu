// RUN: %heddle fix %s --only schedule-iterations --line 11 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// The step runs wherever a turn ends.
#include "../results.cuh"

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  for (int i = 0, k = 1; i < 30; ++i, k += 3) {
    if (x % 2 == 0) {
      x += k;
      if (x % 3 == 0)
        continue;
      x /= 2;
    } else {
      x = 3 * x + 1;
    }
    if (x % 5 == 0)
      continue;
    x += i;
  }
  out[threadIdx.x] = x;
}

int main() { printResults(walk); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  int i = 0, k = 1;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (i >= 30)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        return x % 2 == 0 ? 0 : 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += k;
// CHECK-NEXT: +        if (x % 3 == 0)
// CHECK-NEXT: +          { ++i, k += 3; return heddle::flow::skip; }
// CHECK-NEXT: +        x /= 2;
// CHECK-NEXT: +        return heddle::flow::proceed;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x = 3 * x + 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (x % 5 == 0)
// CHECK-NEXT: +          { ++i, k += 3; return heddle::flow::skip; }
// CHECK-NEXT: +        x += i;
// CHECK-NEXT: +        ++i, k += 3;
// CHECK-NEXT: +        return heddle::flow::proceed;
// CHECK-NEXT: +      });
