// RUN: %refused fix %s --only split-branch --line 5 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask[i])
    out[i] = 1;
  else
    out[i] = 2;
}

int main() {
  int n = 200;
  k<<<4, 64>>>(nullptr, nullptr, n++);
}
// CHECK: :5: split-branch refused: line 13 computes an argument that may not be the same when it is computed again [side-effects-in-launch]
