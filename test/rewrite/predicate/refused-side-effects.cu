// RUN: %refused fix %s --only predicate --line 8 --unproven > %t
// RUN: FileCheck-19 %s < %t

__device__ unsigned next(unsigned& state) { return state = state * 1664525u + 1013904223u; }

__global__ void drop(float* out, unsigned state) {
  float x = out[threadIdx.x];
  if (next(state) > 7)
    x = x + 2.0f;
  else
    x = x + 2.0f;
  out[threadIdx.x] = x + float(state);
}
// CHECK: :8: predicate refused: the arms are the same, but the condition in line 8 does something [side-effects]
