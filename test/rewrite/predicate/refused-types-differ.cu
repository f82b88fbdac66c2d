// RUN: %refused fix %s --only predicate --line 9 --unproven > %t
// RUN: FileCheck-19 %s < %t

__device__ float scale(float x, float by) { return x * by; }

__global__ void mixed(float* out, int n) {
  float x = out[threadIdx.x];
  // CHECK: :9: predicate refused: line 10 has an operand of type int where line 12 has one of type float [types-differ]
  if (x > 1)
    x = scale(x, n);
  else
    x = scale(x, 0.5f);
  out[threadIdx.x] = x;
}
