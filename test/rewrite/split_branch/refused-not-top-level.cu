// RUN: %refused fix %s --only split-branch --line 6 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int turn = 0; turn < n; ++turn)
    if (mask[i])
      out[i] = 1;
    else
      out[i] = 2;
}

int main() {
  k<<<4, 64>>>(nullptr, nullptr, 200);
}
// CHECK: :6: split-branch refused: the branch stands inside the statement of line 5 [not-top-level]
