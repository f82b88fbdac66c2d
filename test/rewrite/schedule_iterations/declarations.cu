// RUN: %heddle fix %s --only schedule-iterations --line 30 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// What a later part uses moves in front of the loop; what is made anew in each turn is set anew.
#include "../results.cuh"

struct Pair {
  unsigned a, b;
};

template <class T> struct Box {
  T value = 3;
};

__device__ Pair halves(unsigned x) { return {x >> 16, x & 0xffff}; }

__global__ void walk(unsigned* out) {
  unsigned x = threadIdx.x + 1;
  for (int i = 0; i < 30; ++i) {
    const auto pair = halves(x);
    const unsigned low = pair.b, high = pair.a;
    unsigned *place = &x, kept[2];
    Box<unsigned> box;
    constexpr unsigned seven = 7;
    const auto* same = place;
    unsigned unused = low;
    x += unused;
    kept[0] = high;
    if (low % 3 == 0) {
      *place += low * seven + box.value;
      box.value += i;
      kept[1] = 5;
    } else {
      x ^= high + *same;
      kept[1] = low;
    }
    x += kept[0] + kept[1] + box.value;
  }
  out[threadIdx.x] = x;
}

int main() { printResults(walk); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  int i = 0;
// CHECK-NEXT: +  unsigned low;
// CHECK-NEXT: +  unsigned high;
// CHECK-NEXT: +  unsigned int *place;
// CHECK-NEXT: +  unsigned int kept[2];
// CHECK-NEXT: +  Box<unsigned> box;
// CHECK-NEXT: +  constexpr unsigned seven = 7;
// CHECK-NEXT: +  const unsigned int *same;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (i >= 30)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        const auto pair = halves(x);
// CHECK-NEXT: +        low = pair.b; high = pair.a;
// CHECK-NEXT: +        place = &x;
// CHECK-NEXT: +        box = {};
// CHECK-NEXT: +        same = place;
// CHECK-NEXT: +        unsigned unused = low;
// CHECK-NEXT: +        x += unused;
// CHECK-NEXT: +        kept[0] = high;
// CHECK-NEXT: +        return low % 3 == 0 ? 0 : 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        *place += low * seven + box.value;
// CHECK-NEXT: +        box.value += i;
// CHECK-NEXT: +        kept[1] = 5;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x ^= high + *same;
// CHECK-NEXT: +        kept[1] = low;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += kept[0] + kept[1] + box.value;
// CHECK-NEXT: +        ++i;
// CHECK-NEXT: +      });
