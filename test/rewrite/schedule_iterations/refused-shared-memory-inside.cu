// RUN: %refused fix %s --only schedule-iterations --line 8 --unproven > %t
// RUN: FileCheck-19 %s < %t
__shared__ float last[32];

__global__ void walk(float* a, int n) {
  float x = a[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    if (x > 1)
      x *= 0.5f;
    else
      x += 0.25f;
    last[threadIdx.x] = x;
  }
  a[threadIdx.x] = x;
}

// CHECK: :8: schedule-iterations refused: line 12 writes last, which is shared by the block [shared-memory-inside]
