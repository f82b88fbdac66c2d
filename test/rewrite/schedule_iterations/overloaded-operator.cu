// RUN: %heddle fix %s --only schedule-iterations --line 17 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
#include "../results.cuh"

struct Place {
  int at;
  __device__ bool operator!=(const Place& other) const { return at != other.at; }
  __device__ bool operator!() const { return at == 0; }
};

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  Place place{0};
  const Place end{30};
  while (place != end) {
    if (x % 3 == 0)
      x += 7;
    else
      x = x * 5 + 1;
    ++place.at;
  }
  out[threadIdx.x] = x;
}

int main() { printResults(walk); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (!(place != end))
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
// CHECK-NEXT: +        ++place.at;
// CHECK-NEXT: +      });
