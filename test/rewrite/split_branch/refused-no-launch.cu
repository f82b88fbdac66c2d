// RUN: %refused fix %s --only split-branch --line 5 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask[i])
    out[i] = 1;
  else
    out[i] = 2;
}
// CHECK: :5: split-branch refused: k is not launched in this file [no-launch]
