// RUN: %refused fix %s --only schedule-iterations --line 8 --unproven > %t
// RUN: FileCheck-19 %s < %t
#include <cstdio>

__global__ void walk(float* a, int n) {
  float x = a[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    if (x > 1)
      x *= 0.5f;
    else
      x += 0.25f;
    printf("%f\n", x);
  }
  a[threadIdx.x] = x;
}

// CHECK: :8: schedule-iterations refused: line 12 calls printf, and the order of what threads print would change [prints-inside]
