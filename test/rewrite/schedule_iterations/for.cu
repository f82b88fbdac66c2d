// RUN: %heddle fix %s --only schedule-iterations --line 10 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
#include "../results.cuh"

__global__ void mix(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  for (int i = 0; i < 20; ++i) {
    x = x * 1664525u + 1013904223u;
    if (x % 3 == 0) {
      // multiples of three
      x += 7;
    } else {
      x ^= x >> 5;
    }
    x += i;
  }
  out[threadIdx.x] = x;
}

int main() { printResults(mix); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  int i = 0;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (i >= 20)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        x = x * 1664525u + 1013904223u;
// CHECK-NEXT: +        return x % 3 == 0 ? 0 : 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        // multiples of three
// CHECK-NEXT: +        x += 7;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x ^= x >> 5;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += i;
// CHECK-NEXT: +        ++i;
// CHECK-NEXT: +      });
