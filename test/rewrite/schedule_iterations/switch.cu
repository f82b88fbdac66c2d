// RUN: %heddle fix %s --only schedule-iterations --line 11 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// Labels may share a case, and a `break` may stand inside one.
#include "../results.cuh"

__global__ void interpret(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  for (int i = 0; i < 30; ++i) {
    switch (x % 6) {
    case 0:
      x += 5;
      x *= 3;
      break;
    case 1:
    case 2: {
      const unsigned twice = 2 * x;
      x = twice + 1;
      break;
    }
    case 3:
      x ^= x << 2;
      continue;
    case 4:
      if (x > 1u << 30)
        break;
      x += 7;
      break;
    default:
      x = x * 5 + 2;
    }
    x += i;
  }
  out[threadIdx.x] = x;
}

int main() { printResults(interpret); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  int i = 0;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 5>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (i >= 30)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        switch (x % 6) {
// CHECK-NEXT: +        case 0:
// CHECK-NEXT: +          return 0;
// CHECK-NEXT: +        case 1:
// CHECK-NEXT: +        case 2:
// CHECK-NEXT: +          return 1;
// CHECK-NEXT: +        case 3:
// CHECK-NEXT: +          return 2;
// CHECK-NEXT: +        case 4:
// CHECK-NEXT: +          return 3;
// CHECK-NEXT: +        default:
// CHECK-NEXT: +          return 4;
// CHECK-NEXT: +        }
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += 5;
// CHECK-NEXT: +        x *= 3;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        const unsigned twice = 2 * x;
// CHECK-NEXT: +        x = twice + 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x ^= x << 2;
// CHECK-NEXT: +        { ++i; return heddle::flow::skip; }
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (x > 1u << 30)
// CHECK-NEXT: +          return heddle::flow::proceed;
// CHECK-NEXT: +        x += 7;
// CHECK-NEXT: +        return heddle::flow::proceed;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x = x * 5 + 2;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += i;
// CHECK-NEXT: +        ++i;
// CHECK-NEXT: +      });
