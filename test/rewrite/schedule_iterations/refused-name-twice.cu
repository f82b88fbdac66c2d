// RUN: %refused fix %s --only schedule-iterations --line 7 --unproven > %t
// RUN: FileCheck-19 %s < %t
__global__ void walk(float* a, int n) {
  float x = a[threadIdx.x], limit = 7;
  for (int i = 0; i < n; ++i) {
    x += limit; float limit = x / 2;
    if (limit > 1)
      x *= 0.5f;
    else
      x += 0.25f;
  }
  a[threadIdx.x] = x + limit;
}

// CHECK: :7: schedule-iterations refused: line 6 declares limit, and the loop uses another variable of that name [unhoistable-declaration]
