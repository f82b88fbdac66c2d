// RUN: %heddle fix %s --only schedule-iterations --line 13 --unproven > %t
// RUN: FileCheck-19 %s < %t
// RUN: %same_results %s %t
//
// Only an instance knows the type of `high`.
#include "../results.cuh"

template <class T, int N> __global__ void walk(T* out) {
  T x = threadIdx.x + 1;
  for (int i = 0; i < N; ++i) {
    const T low = x & T(0xff);
    const auto high = x >> T(8);
    if (low % 3 == 0)
      x += low;
    else
      x = 5 * x + high;
  }
  out[threadIdx.x] = x;
}

int main() { printResults(walk<unsigned, 30>); }

// CHECK:      +#include <heddle/schedule{{.}}cuh>
// CHECK:      +  int i = 0;
// CHECK-NEXT: +  T low;
// CHECK-NEXT: +  std::decay_t<decltype(x >> T(8))> high;
// CHECK-NEXT: +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        if (i >= N)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        low = x & T(0xff);
// CHECK-NEXT: +        high = x >> T(8);
// CHECK-NEXT: +        return low % 3 == 0 ? 0 : 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x += low;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        x = 5 * x + high;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        ++i;
// CHECK-NEXT: +      });
