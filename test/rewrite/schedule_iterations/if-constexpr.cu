// RUN: %heddle fix %s --only schedule-iterations --line 11 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// What is decided at compile time is no way.
#include "../results.cuh"

template <int N> __global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  for (int i = 0; i < 30; ++i) {
    if (x % 3 == 0) {
      if constexpr (N > 3)
        x += 7;
      else
        x += 6;
    } else
      x = x * 5 + 1;
  }
  out[threadIdx.x] = x;
}

int main() { printResults(walk<4>); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  int i = 0;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (i >= 30)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        return x % 3 == 0 ? 0 : 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if constexpr (N > 3)
// CHECK-NEXT: +          x += 7;
// CHECK-NEXT: +        else
// CHECK-NEXT: +          x += 6;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x = x * 5 + 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        ++i;
// CHECK-NEXT: +      });
