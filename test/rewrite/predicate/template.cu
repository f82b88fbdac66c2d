// RUN: %heddle fix %s --only predicate --line 9 --unproven | FileCheck-19 %s
//
// A template's pattern, whose types are known in its instances only. Declarations keep their scope.

template <class T> __global__ void shrink(const T* a, T* out, T low, T high) {
  const int i = threadIdx.x;
  T x = a[i];
  const bool even = i % 2 == 0;
  if (even) {
    T y = x * low;
    while (y > T(1))
      y = y * low;
    out[i] = y;
  } else {
    T z = x * high;
    while (z > T(1))
      z = z * high;
    out[i + 64] = z;
  }
}
template __global__ void shrink(const float*, float*, float, float);
template __global__ void shrink(const double*, double*, double, double);

// CHECK:      +  {
// CHECK-NEXT: +    const auto factor = even ? low : high;
// CHECK-NEXT: +    T y = x * factor;
// CHECK-NEXT:      while (y > T(1))
// CHECK:      +      y = y * factor;
// CHECK-NEXT: +    out[even ? i : i + 64] = y;
// CHECK-NEXT:    }
