// RUN: %heddle fix %s --only predicate --line 6 --unproven | FileCheck-19 %s

__global__ void pick(const float* a, float* out, int limit) {
  const int i = threadIdx.x;
  float x;
  if (i > limit)
    x = a[i];
  else
    x = 2.0f;
  out[i] = x;
}

// CHECK:      -    x = 2.0f;
// CHECK-NEXT: +  x = i > limit ? a[i] : 2.0f;
// CHECK-NEXT:    out[i] = x;
