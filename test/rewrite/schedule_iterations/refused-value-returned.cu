// RUN: %refused fix %s --only schedule-iterations --line 7 --unproven > %t
// RUN: FileCheck-19 %s < %t
__device__ float walk(float x, int n) {
  for (int i = 0; i < n; ++i) {
    if (x < -1)
      return -1;
    if (x > 1)
      x *= 0.5f;
    else
      x -= 0.25f;
  }
  return x;
}

__global__ void walkAll(float* a, int n) { a[threadIdx.x] = walk(a[threadIdx.x], n); }

// CHECK: :7: schedule-iterations refused: line 6 returns a value from inside the loop [value-returned]
