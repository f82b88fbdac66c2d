// RUN: %refused fix %s --only predicate --line 5 --unproven > %t
// RUN: FileCheck-19 %s < %t
__global__ void walk(float* a) {
  float x = a[threadIdx.x];
  if (const float y = x - 1; y > 0)
    x = y;
  a[threadIdx.x] = x;
}

// CHECK: :5: predicate refused: the branch declares a variable in its condition [unhoistable-declaration]
