// RUN: %heddle fix %s --only schedule-iterations --line 8 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
#include "../results.cuh"

__device__ unsigned mixed(unsigned x, int turns) {
  for (int i = 0; i < turns; ++i) {
    if (x % 3 == 0)
      x += 7;
    else
      x = x * 5 + 1;
  }
  return x;
}

__global__ void walk(unsigned* out) {
  out[threadIdx.x] = mixed(threadIdx.x, 20);
}

int main() { printResults(walk); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  int i = 0;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (i >= turns)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        return x % 3 == 0 ? 0 : 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += 7;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x = x * 5 + 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        ++i;
// CHECK-NEXT: +      });
