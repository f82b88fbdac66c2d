// RUN: %refused fix %s --only predicate --line 20 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=STORE < %t
// RUN: %refused fix %s --only predicate --line 23 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=LOAD < %t
// RUN: %refused fix %s --only predicate --line 26 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=DIVIDE < %t
// RUN: %refused fix %s --only predicate --line 29 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=LONG < %t
// RUN: %refused fix %s --only predicate --line 36 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=EFFECT < %t
// RUN: %refused fix %s --only predicate --line 39 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=GUARDED < %t

__device__ unsigned next(unsigned& state) { return state = state * 1664525u + 1013904223u; }

__global__ void one(const float* a, float* out, int n, unsigned state) {
  const int i = threadIdx.x;
  float x = 0;
  // STORE: :20: predicate refused: line 21 stores to memory, which the other arm does not [store-in-one-arm]
  if (i > 3)
    out[i] = x;
  // LOAD: :23: predicate refused: line 24 computes a[i], which may fault where the branch is not taken [may-fault]
  if (i > 3)
    x += a[i];
  // DIVIDE: :26: predicate refused: line 27 computes n / i, which may fault where the branch is not taken [may-fault]
  if (i > 3)
    n = n / i;
  // LONG: :29: predicate refused: line 29 begins an arm of 4 statements, more than 3 [arms-too-long]
  if (i > 3) {
    x += 1.0f;
    n += 1;
    x += 2.0f;
    n += 2;
  }
  // EFFECT: :36: predicate refused: line 37 does more than compute a value [side-effects]
  if (i > 3)
    n += next(state);
  // GUARDED: :{{[0-9]+}}: predicate refused: line {{[0-9]+}} computes a[i], which may fault {{.*}} [may-fault]
  if (i < n && a[i] > 3)
    x += a[i];
  out[i] = x + float(n);
}
