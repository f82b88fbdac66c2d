// RUN: %refused fix %s --only split-branch --line 7 --unproven > %t && FileCheck-19 %s < %t

#define ELSE_ZERO else out[i] = 0

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask[i])
    out[i] = 1;
  ELSE_ZERO;
}

int main() {
  k<<<4, 64>>>(nullptr, nullptr, 200);
}
// CHECK: :7: split-branch refused: the branch in line 7, or a path of it, comes from a macro [macro-in-the-way]
