// RUN: %heddle fix %s --only predicate --line 9 --unproven | FileCheck-19 %s --check-prefix=ONE
// RUN: %refused fix %s --only predicate --line 11 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=TWO < %t
//
// Arms that only assign: a sum keeps the old value itself, since x + 0 would turn -0 into +0.

__global__ void limit(const float* a, float* out, float most, int n) {
  float x = a[threadIdx.x], y = 0;
  if (a[threadIdx.x] > most)
    x += most * 0.5f;
  if (n > 3) {
    y = x - most;
    n -= 2 + n;
  } else
    x = a[threadIdx.x] > 1 ? most : y;
  out[threadIdx.x] = x + y + float(n);
}

// ONE:      -    x += most * 0.5f;
// ONE-NEXT: +  x = a[threadIdx.x] > most ? x + most * 0.5f : x;
// TWO:      refused: line 15 computes a[threadIdx.x], which may fault where the branch is not taken [may-fault]
