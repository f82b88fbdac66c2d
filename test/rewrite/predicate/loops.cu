// RUN: %heddle fix %s --only predicate --line 9 --unproven | FileCheck-19 %s
//
// Two loops that differ in their constants, their length and what they read.

__device__ unsigned next(unsigned& state) { return state = state * 1664525u + 1013904223u; }

__global__ void settle(const float* a, const float* b, float* out, unsigned state) {
  float x = 0;
  if (threadIdx.x % 3 == 0) {
    // comments stay
    for (int k = 0; k < 100; ++k)
      x = fmaf(x, 0.5f, a[k]) + 0.5f;
    x += float(next(state) & 7);
  } else {
    for (int k = 0; k < 50; ++k)
      x = fmaf(x, 0.25f, b[k + 1]) + 0.25f;
    x += float(next(state) & 3);
  }
  out[threadIdx.x] = x;
}

// CHECK:      +  const bool first = threadIdx.x % 3 == 0;
// CHECK-NEXT: +  const auto limit = first ? 100 : 50;
// CHECK-NEXT: +  const auto operand = first ? 0.5f : 0.25f;
// CHECK-NEXT: +  const auto array = first ? a : b;
// CHECK-NEXT: +  // comments stay
// CHECK-NEXT: +  for (int k = 0; k < limit; ++k)
// CHECK-NEXT: +    x = fmaf(x, operand, array[first ? k : k + 1]) + operand;
// CHECK-NEXT: +  x += float(next(state) & (first ? 7 : 3));
// CHECK-NEXT:    out[threadIdx.x] = x;
