// RUN: %refused fix %s --only split-loop --line 7 --unproven > %t
// RUN: FileCheck-19 %s < %t
#define ADD_BOTH x += a[i]; y += a[i + 1]

__global__ void walk(const float* a, float* out, int n) {
  float x = 0, y = 0;
  for (int i = 0; i < n; ++i) {
    ADD_BOTH;
  }
  out[threadIdx.x] = x;
  out[threadIdx.x + n] = y;
}

// CHECK: :7: split-loop refused: the loop in line 7 has a statement that begins or ends in a macro [macro-in-the-way]
