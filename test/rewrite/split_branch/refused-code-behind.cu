// RUN: %refused fix %s --only split-branch --line 6 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (mask[i])
      out[i] = 1;
    else
      out[i] = 2;
  }
  out[i + n] = 3;
}

int main() {
  k<<<4, 64>>>(nullptr, nullptr, 200);
}
// CHECK: :6: split-branch refused: line 11 runs also for threads that do not reach the branch [code-behind]
