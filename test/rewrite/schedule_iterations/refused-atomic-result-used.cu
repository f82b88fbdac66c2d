// RUN: %refused fix %s --only schedule-iterations --line 6 --unproven > %t
// RUN: FileCheck-19 %s < %t
__global__ void walk(float* a, int n) {
  float x = a[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    if (x > 1)
      x *= 0.5f;
    else
      x += 0.25f;
    x += atomicAdd(a, 1.0f);
  }
  a[threadIdx.x] = x;
}

// CHECK: :6: schedule-iterations refused: line 10 uses the result of atomicAdd, which depends on the order of threads [atomic-result-used]
