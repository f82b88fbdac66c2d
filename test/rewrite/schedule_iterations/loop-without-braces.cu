// RUN: %heddle fix %s --only schedule-iterations --line 12 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// Several statements take the place of one.
#include "../results.cuh"

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  if (threadIdx.x < 50)
    for (int i = 0; i < 30; ++i)
      if (x % 3 == 0)
        x += 7;
      else
        x = x * 5 + 1;
  else
    x = 9;
  out[threadIdx.x] = x;
}

int main() { printResults(walk); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +    {
// CHECK-NEXT: +      int i = 0;
// CHECK-NEXT: +      heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +          [&] {
// CHECK-NEXT: +            if (i >= 30)
// CHECK-NEXT: +              return heddle::done;
// CHECK-NEXT: +            return x % 3 == 0 ? 0 : 1;
// CHECK-NEXT: +          },
// CHECK-NEXT: +          [&] {
// CHECK-NEXT: +            x += 7;
// CHECK-NEXT: +          },
// CHECK-NEXT: +          [&] {
// CHECK-NEXT: +            x = x * 5 + 1;
// CHECK-NEXT: +          },
// CHECK-NEXT: +          [&] {
// CHECK-NEXT: +            ++i;
// CHECK-NEXT: +          });
// CHECK-NEXT: +    }
