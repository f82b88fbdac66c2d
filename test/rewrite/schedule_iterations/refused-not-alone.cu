// RUN: %refused fix %s --only schedule-iterations --line 8 --unproven > %t
// RUN: FileCheck-19 %s < %t
__global__ void walk(float* a, int n) {
  float x = a[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    if (i % 2 == 0) {
      x += 1;
      if (x > 1)
        x *= 0.5f;
      else
        x += 0.25f;
    }
    x -= 2;
  }
  a[threadIdx.x] = x;
}

// CHECK: :8: schedule-iterations refused: the branch is not a statement of the loop's own body [not-alone]
