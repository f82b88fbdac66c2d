// RUN: %refused fix %s --only split-branch --line 7 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* place = out + i;
  *place = 0;
  if (mask[i])
    out[i] = 1;
  else
    out[i] = 2;
}

int main() {
  k<<<4, 64>>>(nullptr, nullptr, 200);
}
// CHECK: :7: split-branch refused: line 6 writes out before the branch, which each way would do again [side-effects-before]
