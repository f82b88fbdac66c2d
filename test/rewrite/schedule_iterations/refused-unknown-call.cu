// RUN: %refused fix %s --only schedule-iterations --line 6 --unproven > %t
// RUN: FileCheck-19 %s < %t
__global__ void walk(float* a, int n, float (*step)(float)) {
  float x = a[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    if (x > 1)
      x *= 0.5f;
    else
      x += 0.25f;
    x = step(x);
  }
  a[threadIdx.x] = x;
}

// CHECK: :6: schedule-iterations refused: line 10 calls a function through a pointer [unknown-call]
