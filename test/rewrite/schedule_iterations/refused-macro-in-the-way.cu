// RUN: %refused fix %s --only schedule-iterations --line 8 --unproven > %t
// RUN: FileCheck-19 %s < %t
#define STOP_IF(condition) if (condition) return

__global__ void walk(float* a, int n) {
  float x = a[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    if (x > 1) {
      x *= 0.5f;
      STOP_IF(x == 2);
    } else {
      x += 0.25f;
    }
  }
  a[threadIdx.x] = x;
}

// CHECK: :8: schedule-iterations refused: line 10 leaves the loop's body in a macro [macro-in-the-way]
