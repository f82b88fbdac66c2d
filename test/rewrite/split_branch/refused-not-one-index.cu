// RUN: %refused fix %s --only split-branch --line 6 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int half = threadIdx.x % 2;
  if (mask[i + half])
    out[i] = 1;
}

int main() {
  k<<<4, 64>>>(nullptr, nullptr, 200);
}
// CHECK: :6: split-branch refused: line 5 uses threadIdx beside i [not-one-index]
