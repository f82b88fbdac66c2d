// RUN: %heddle fix %s --only predicate --line 8 --unproven | FileCheck-19 %s
//
// What the arms change cannot be chosen in front of them; what they are chosen by neither.

__global__ void count(int* out, int steps) {
  int n = threadIdx.x, m = 3;
  int local[4] = {1, 2, 3, 4};
  if (n > m)
    for (int k = 0; k < steps; ++k) {
      n = n * 3 + m;
      local[k & 3] = n + local[1];
    }
  else
    for (int k = 0; k < steps; ++k) {
      n = n * 3 + n;
      local[k & 3] = n + local[2];
    }
  out[threadIdx.x] = n + local[0];
}

// CHECK:      +  const bool first = n > m;
// CHECK-NEXT: +  const auto index = first ? 1 : 2;
// CHECK-NEXT: +  for (int k = 0; k < steps; ++k) {
// CHECK-NEXT: +    n = n * 3 + (first ? m : n);
// CHECK-NEXT: +    local[k & 3] = n + local[index];
// CHECK-NEXT: +  }
