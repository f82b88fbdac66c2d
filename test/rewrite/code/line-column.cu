// RUN: not %heddle fix %s --only predicate --line 12 --unproven 2> %t.error
// RUN: FileCheck-19 %s --check-prefix=BOTH < %t.error
// RUN: %heddle fix %s --only predicate --line 12:3 --unproven > %t.first
// RUN: FileCheck-19 %s --check-prefix=FIRST < %t.first
// RUN: %heddle fix %s --only predicate --line 12:35 --unproven > %t.second
// RUN: FileCheck-19 %s --check-prefix=SECOND < %t.second
// RUN: not %heddle fix %s --only predicate --line 12:1 --unproven 2> %t.none
// RUN: FileCheck-19 %s --check-prefix=NONE < %t.none
__global__ void two(float* out, int limit) {
  const int i = threadIdx.x;
  float x = 1.0f, y = 1.0f;
  if (i > limit) { x = 2.0f; }    if (i < limit) { y = 3.0f; }
  out[i] = x + y;
}

// One of two can be rewritten: nobody needs to say which.
// RUN: %heddle fix %s --only predicate --line 21 --unproven > %t.only
// RUN: FileCheck-19 %s --check-prefix=ONLY < %t.only
__global__ void one(float* out, int limit) {
  float x = 1.0f;
  for (int i = 0; i < limit; ++i) if (i > int(threadIdx.x)) { x = 2.0f; }
  out[threadIdx.x] = x;
}

// BOTH: error: --line 12: predicate could rewrite 2 branches of that line, at column 3, 35; say which with --line 12:3
// FIRST: {{^\+}}  x = i > limit ? 2.0f : x; if (i < limit) { y = 3.0f; }
// SECOND: {{^\+}}  if (i > limit) { x = 2.0f; } y = i < limit ? 3.0f : y;
// NONE: error: --line 12:1: no branch is there; in that line branches begin at column 3, 35
// ONLY: {{^\+}}  for (int i = 0; i < limit; ++i) x = i > int(threadIdx.x) ? 2.0f : x;
