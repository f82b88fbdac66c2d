// RUN: %refused fix %s --line 15:64 --only predicate > %t.second
// RUN: FileCheck-19 %s --check-prefix=SECOND < %t.second
// RUN: %refused fix %s --line 15 --only predicate > %t.all
// RUN: FileCheck-19 %s --check-prefix=ALL < %t.all
// RUN: not %heddle fix %s --line 15:1 2> %t.none
// RUN: FileCheck-19 %s --check-prefix=NONE < %t.none
// RUN: not %heddle fix %s --line 0 2> %t.zero
// RUN: FileCheck-19 %s --check-prefix=ZERO < %t.zero
// SECOND: line-column-run.cu:15  predicate
// SECOND-NOT: line-column-run.cu:15
// ALL: line-column-run.cu:15:3  predicate
// ALL: line-column-run.cu:15:64  predicate
__global__ void two(float* out, int n) {
  const int i = int(threadIdx.x); float x = 1.0f, y = 1.0f;
  if (i % 2) { for (int k = 0; k < n; ++k) x = x * 1.5f + 1; } if (i % 3) { for (int k = 0; k < n; ++k) y = y * 1.25f + 2; }
  out[i] = x + y;
}

int main() {
  float* out = nullptr;
  cudaMalloc(&out, 256 * sizeof(float));
  two<<<1, 256>>>(out, 40);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
// NONE: error: --line 15:1: no branch is there; in that line branches begin at column 3, 16, 64, 77
// ZERO: error: --line: 0 in '0': expected at least 1
