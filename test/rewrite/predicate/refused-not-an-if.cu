// RUN: %refused fix %s --only predicate --line 6 --unproven > %t
// RUN: FileCheck-19 %s < %t

__global__ void loop(float* out) {
  float x = out[threadIdx.x];
  while (x > 1)
    x = x * 0.5f;
  out[threadIdx.x] = x;
}
// CHECK: :6: predicate refused: the branch is not an if statement that is decided at run time [not-an-if]
