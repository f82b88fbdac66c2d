// RUN: %refused fix %s --only predicate --line 8 --unproven > %t
// RUN: FileCheck-19 %s < %t

#define ADD(to) to = to + 1.0f

__global__ void add(float* out) {
  float x = out[threadIdx.x];
  if (x > 1)
    ADD(x);
  else
    x = x + 2.0f;
  out[threadIdx.x] = x;
}
// CHECK: :8: predicate refused: line 9 has an operand that is part of a macro [macro-in-the-way]
