// RUN: %heddle fix %s --only predicate --line 7 --unproven | FileCheck-19 %s

__global__ void limit(const float* a, float* out, float most, int n) {
  float x = a[threadIdx.x], y = 0;
  const bool first = x > 1; // taken
  for (int i = 0; i < n; ++i)
    if (x > y) {
      y = x - most;
      n -= 2 + n;
    } else
      x = most > 1 ? most : y;
  out[threadIdx.x] = x + y + float(n + first);
}

// CHECK:      +    {
// CHECK-NEXT: +      const bool first2 = x > y;
// CHECK-NEXT: +      y = first2 ? x - most : y;
// CHECK-NEXT: +      n = first2 ? n - (2 + n) : n;
// CHECK-NEXT: +      x = first2 ? x : (most > 1 ? most : y);
// CHECK-NEXT: +    }
