// RUN: %heddle fix %s --only predicate --line 11 --unproven | FileCheck-19 %s
//
// Names introduced under a label need braces.

__device__ float advance(float x, float scale, int steps);

__global__ void walk(float* out, int mode) {
  float x = out[threadIdx.x];
  switch (mode) {
  case 1:
    if (x > 1)
      x = advance(x, 0.5f, 7);
    else
      x = advance(x, 0.75f, 9);
    break;
  default: x = 1;
  }
  out[threadIdx.x] = x;
}
__device__ float advance(float x, float scale, int steps) { return x * scale * float(steps); }

// CHECK:      +    {
// CHECK-NEXT: +      const bool first = x > 1;
// CHECK-NEXT: +      x = advance(x, first ? 0.5f : 0.75f, first ? 7 : 9);
// CHECK-NEXT: +    }
