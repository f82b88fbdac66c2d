// RUN: %refused fix %s --only schedule-iterations --line 6 --unproven > %t
// RUN: FileCheck-19 %s < %t
template <bool Halves> __global__ void walk(float* a, int n) {
  float x = a[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    if constexpr (Halves)
      x *= 0.5f;
    else
      x += 0.25f;
  }
  a[threadIdx.x] = x;
}
template __global__ void walk<true>(float*, int);

// CHECK: :6: schedule-iterations refused: line 6 is decided when the kernel is compiled [not-a-choice]
