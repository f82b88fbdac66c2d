// RUN: %heddle fix %s --unproven --block 128 > %t && FileCheck-19 %s < %t
// RUN: %heddle fix %s --unproven --only predicate | FileCheck-19 %s --check-prefix=ONLY
// RUN: %refused fix %s --unproven --only reduce > %t.none && FileCheck-19 %s --check-prefix=NONE < %t.none
// RUN: not %heddle fix %s --unproven --line 11 > %t.line 2>&1 && FileCheck-19 %s --check-prefix=LINE < %t.line
// SPDX-License-Identifier: Apache-2.0
//
// Without --line every rewrite is asked for every branch and every kernel, the host's code is left alone, and
// each form is a diff of its own against the file as it is.
__device__ int halved(int x) {
  while (x > 9) {
    if (x & 1)
      x -= 3;
    else
      x /= 2;
  }
  return x;
}

template <class T> __global__ void kernel(T* out, int n) {
  for (int i = 0; i < n; ++i)
    out[threadIdx.x] += T(halved(i));
}

void launch(int* a, float* b, int n) {
  if (n > 0)
    kernel<<<1, 128>>>(a, n);
  kernel<<<1, 128>>>(b, n);
}

// CHECK-NOT:   .cu:{{2[4-9]}}:
// CHECK:       everywhere.cu:19: split-loop refused: {{.*}} [one-group]
// CHECK-NEXT:  everywhere.cu:19: aggregate refused: {{.*}} [no-atomic]
// CHECK-NEXT:  everywhere.cu:19: share-init refused: {{.*}} [no-generator]
// CHECK-NEXT:  everywhere.cu:19: reshape refused: {{.*}} [whole-warps]
// CHECK-NEXT:  everywhere.cu:19: launch-bounds (128)
// CHECK-NEXT:  --- a/
// CHECK-NEXT:  +++ b/
// CHECK:      +template <class T> __global__ void __launch_bounds__(128) kernel(T* out, int n) {
// CHECK:       everywhere.cu:10: predicate refused: {{.*}} [not-an-if]
// CHECK:       everywhere.cu:11: predicate both-sides
// CHECK:      +    x = x & 1 ? x - 3 : x / 2;
// CHECK:       everywhere.cu:11: schedule-iterations aging
// CHECK:       everywhere.cu:20: predicate refused
// CHECK-NOT:   .cu:{{2[4-9]}}:

// ONLY-NOT:    schedule
// ONLY:        everywhere.cu:11: predicate both-sides
// ONLY-NOT:    schedule

// NONE:        everywhere.cu:11: reduce refused
// NONE-NOT:    @@

// LINE:        heddle: error: --unproven --line: say which rewrite with --only
