// RUN: %refused fix %s --only split-branch --line 5 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask[i])
    out[i] = 1;
  else
    out[i] = 2;
}

int main() {
  k<<<4, 64>>>(nullptr, nullptr, 200);
}
#ifndef __CUDA_ARCH__
void more() { k<<<1, 32>>>(nullptr, nullptr, 32); }
#endif
// CHECK: :5: split-branch refused: a macro or a condition of the preprocessor hides 'k<<<1, 32>>>(nullptr, nullptr, 32); }' from us [launch-in-macro]
