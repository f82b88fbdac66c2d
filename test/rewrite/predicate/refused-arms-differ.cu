// RUN: %refused fix %s --only predicate --line 14 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=ASSIGNED < %t
// RUN: %refused fix %s --only predicate --line 22 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=CALLED < %t
//
// Variables that are assigned, and functions that are called, cannot be chosen.

__device__ float cool(float x) { return x * 0.5f; }
__device__ float heat(float x) { return x * 2.0f; }

__global__ void assign(float* out) {
  float x = out[threadIdx.x], y = 0;
  // ASSIGNED: :14: predicate refused: line 16 is not as line 19, up to operands that can be chosen [arms-differ]
  if (x > 1)
    for (int k = 0; k < 9; ++k)
      x = x * 0.5f;
  else
    for (int k = 0; k < 9; ++k)
      y = y * 0.5f;
  out[threadIdx.x] = x + y;
  // CALLED: :22: predicate refused: line 24 is not as line 27, up to operands that can be chosen [arms-differ]
  if (x > 1)
    for (int k = 0; k < 9; ++k)
      x = cool(x);
  else
    for (int k = 0; k < 9; ++k)
      x = heat(x);
  out[threadIdx.x] += x;
}
