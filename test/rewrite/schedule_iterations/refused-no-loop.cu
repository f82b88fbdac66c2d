// RUN: %refused fix %s --only schedule-iterations --line 5 --unproven > %t
// RUN: FileCheck-19 %s < %t
__global__ void walk(float* a) {
  float x = a[threadIdx.x];
  if (x > 1)
    x *= 0.5f;
  else
    x += 0.25f;
  a[threadIdx.x] = x;
}

// CHECK: :5: schedule-iterations refused: the branch is in no loop [no-loop]
