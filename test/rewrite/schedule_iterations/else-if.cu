// RUN: %heddle fix %s --only schedule-iterations --line 9 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
#include "../results.cuh"

__global__ void step(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  for (int i = 0; i < 30; ++i) {
    if (x % 7 == 0) {
      x += 3;
    } else if (x % 5 == 0) {
      x = x * 3 + 1;
    } else if (x % 3 == 0) {
      x ^= x << 3;
    } else {
      x = x * 5 + i;
    }
  }
  out[threadIdx.x] = x;
}

int main() { printResults(step); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  int i = 0;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 4>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (i >= 30)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        return x % 7 == 0 ? 0 : x % 5 == 0 ? 1 : x % 3 == 0 ? 2 : 3;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += 3;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x = x * 3 + 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x ^= x << 3;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x = x * 5 + i;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        ++i;
// CHECK-NEXT: +      });
