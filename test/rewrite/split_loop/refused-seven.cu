// RUN: %refused fix %s --only split-loop --line 21 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=ONE < %t
// RUN: %refused fix %s --only split-loop --line 26 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=SHARED < %t
// RUN: %refused fix %s --only split-loop --line 32 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=ALIAS < %t
// RUN: %refused fix %s --only split-loop --line 37 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=EARLY < %t
// RUN: %refused fix %s --only split-loop --line 44 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=CONTROL < %t
// RUN: %refused fix %s --only split-loop --line 49 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=ATOMIC < %t
// RUN: %refused fix %s --only split-loop --line 54 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=BARRIER < %t

__device__ unsigned next(unsigned& state) { return state = state * 1664525u + 1013904223u; }

__global__ void sums(const float* a, float* out, int n, unsigned state) {
  float x = 0, y = 0;
  // ONE: :21: split-loop refused: all statements of the loop in line 21 depend on one another [one-group]
  for (int i = 0; i < n; ++i) {
    x += a[i];
    y += x;
  }
  // SHARED: :26: split-loop refused: line 27 computes for several statements and cannot be repeated [shared-computation]
  for (int i = 0; i < n; ++i) {
    const float u = float(next(state));
    x += u;
    y += u * u;
  }
  // ALIAS: :32: split-loop refused: one group of the loop in line 32 stores to memory that the other may use [may-alias]
  for (int i = 0; i < n; ++i) {
    out[i] = x;
    y += a[i];
  }
  // EARLY: :37: split-loop refused: the loop in line 37 is left by break, continue or return [leaves-early]
  for (int i = 0; i < n; ++i) {
    x += a[i];
    y += a[i + 1];
    if (y > 3)
      break;
  }
  // CONTROL: :44: split-loop refused: the loop in line 44 changes what counts its turns [loop-control]
  for (int i = 0; i < n; ++i) {
    x += a[i];
    n -= y > 3 ? 1 : 0;
  }
  // ATOMIC: :49: split-loop refused: line 50 uses the result of atomicAdd, {{.*}} [atomic-result-used]
  for (int i = 0; i < n; ++i) {
    x += atomicAdd(out, 1.0f);
    y += a[i];
  }
  // BARRIER: :54: split-loop refused: line 57 calls __syncthreads, {{.*}} [barrier-inside]
  for (int i = 0; i < n; ++i) {
    x += a[i];
    y += a[i + 1];
    __syncthreads();
  }
  out[threadIdx.x] = x + y;
}
