// RUN: %refused fix %s --only predicate --line 8 --unproven > %t
// RUN: FileCheck-19 %s < %t
//
// powf(x, 2.0f) is compiled to x * x, which is not powf(x, p) to the last bit.

__global__ void raise(float* out) {
  float x = out[threadIdx.x];
  if (x > 1)
    x = powf(x, 2.0f);
  else
    x = powf(x, 3.0f);
  out[threadIdx.x] = x;
}
// CHECK: :8: predicate refused: line 9 takes a power that is compiled by its exponent [constant-power]
