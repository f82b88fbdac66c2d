// RUN: %refused fix %s --only split-branch --line 5 --unproven > %t && FileCheck-19 %s < %t

extern "C" __global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask[i])
    out[i] = 1;
  else
    out[i] = 2;
}

int main() {
  k<<<4, 64>>>(nullptr, nullptr, 200);
}
// CHECK: :5: split-branch refused: k is extern "C": others may know it by its name [c-linkage]
