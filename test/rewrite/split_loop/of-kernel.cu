// RUN: %heddle fix %s --only split-loop --line 4 --unproven | FileCheck-19 %s
//
// The first loop of the kernel that allows it: the first one carries x over to y.
template <class T> __global__ void sums(const T* a, T* out, int n) {
  T x = 0, y = 0;
  for (int i = 0; i < n; ++i) {
    x += a[i];
    y += x;
  }
  if (n > 7)
    for (int i = 0; i < n; ++i) {
      x *= a[i];
      y *= a[i + 1];
    }
  out[threadIdx.x] = x + y;
}
template __global__ void sums(const float*, float*, int);

// CHECK:         if (n > 7)
// CHECK-NEXT: +    {
// CHECK-NEXT:      for (int i = 0; i < n; ++i) {
// CHECK-NEXT:        x *= a[i];
// CHECK-NEXT: +    }
// CHECK-NEXT: +    for (int i = 0; i < n; ++i) {
// CHECK-NEXT:        y *= a[i + 1];
// CHECK-NEXT: +    }
// CHECK-NEXT:      }
