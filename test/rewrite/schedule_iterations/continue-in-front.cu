// RUN: %heddle fix %s --only schedule-iterations --line 16 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// A turn that ends before it has a way keeps the header of the loop.
#include "../results.cuh"

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  for (int i = 0; i < 30; ++i) {
    x = x * 1664525u + 1013904223u;
    if (x % 4 == 0)
      continue;
    if (x % 101 == 0)
      break;
    if (x % 3 == 0)
      x += 7;
    else
      x ^= x >> 5;
  }
  out[threadIdx.x] = x;
}

int main() { printResults(walk); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  int i = 0;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        for (; i < 30; ++i) {
// CHECK-NEXT: +          x = x * 1664525u + 1013904223u;
// CHECK-NEXT: +          if (x % 4 == 0)
// CHECK-NEXT: +            continue;
// CHECK-NEXT: +          if (x % 101 == 0)
// CHECK-NEXT: +            break;
// CHECK-NEXT: +          return x % 3 == 0 ? 0 : 1;
// CHECK-NEXT: +        }
// CHECK-NEXT: +        return heddle::done;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += 7;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x ^= x >> 5;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        ++i;
// CHECK-NEXT: +      });
