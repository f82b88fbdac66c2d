// RUN: %refused fix %s --only schedule-iterations --line 5 --unproven > %t
// RUN: FileCheck-19 %s < %t
__device__ int deep(int x, int depth) {
  for (int i = 0; i < x % 5; ++i) {
    if (x % 3 == 0)
      x += depth > 0 ? deep(x + 1, depth - 1) : 1;
    else
      x = x * 5 + 1;
  }
  return x;
}
__global__ void walk(int* a) { a[threadIdx.x] = deep(a[threadIdx.x], 3); }

// CHECK: :5: schedule-iterations refused: {{.*}} [recursive]
